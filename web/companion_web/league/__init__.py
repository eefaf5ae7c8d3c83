"""The league on the page, and what a club's tables send to it. Each is given the protocols of
`companion.league.ports`; what is behind them the page does not know."""
