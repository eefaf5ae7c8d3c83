"""A seat: what its screen shows and what its six buttons do.

Both come from one page. A page is a function of the `Scene` (what the table knows) and the seat's
`Dialog` (how far it has come between two answers) to a `Screen`, whose six `Choice`s each hold a
key *and* what pressing it does: what is shown and what is done cannot part, and what a key means
can be compared from one picture to the next (`dialog.meaning`). Which page it is follows from what
is going on: the table's own pages are listed in `dialog.py`, a game's in its `GameViews`.

Nothing is kept but the `Dialog`, which says when it was opened: when something else is asked, its
page has closed by itself, so that no screen can be left behind by a race that goes on.
"""
