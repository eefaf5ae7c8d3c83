"""Before a race: what there is to choose, on the screens of the seats and on the page."""
