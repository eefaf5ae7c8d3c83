"""The league on the page, and a club's access for its tables. Each is given the protocols of
`companion.league.ports`; what is behind them the page does not know."""
