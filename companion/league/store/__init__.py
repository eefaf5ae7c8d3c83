"""The league's database: tables, migrations, what writes into it and what reads from it.

SQLAlchemy is imported in here and nowhere else.
"""
