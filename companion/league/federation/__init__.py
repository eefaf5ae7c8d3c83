"""What a federation has beside a season: competitions, entry lists, ways from stage to stage, draws
and the sheets of its tables, licences and bans.

A table at home imports none of it (`tests/league/test_federation.py`): it is fetched when an act of
its kinds is read (`acts.kind_of`), when somebody is banned or may be, and with its pages.
"""
