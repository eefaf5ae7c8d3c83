"""What is drawn: a seat's screen as a bitmap, a circuit as a picture. Pure."""
