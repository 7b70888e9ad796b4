"""Run a migration's SQL script as it stands."""

import psycopg
import sqlalchemy


def run_script(connection: sqlalchemy.Connection, script: str) -> None:
    """By the driver itself: SQLAlchemy would take `%` and `:` for parameters."""
    driver = connection.connection.driver_connection
    if not isinstance(driver, psycopg.Connection):
        raise TypeError("migrations run on psycopg")
    driver.execute(script.encode())
