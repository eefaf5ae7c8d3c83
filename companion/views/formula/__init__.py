"""The Formula games as seats and page show them."""
