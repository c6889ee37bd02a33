"""
Runs each line of the input, a JSON text, as a statement of an emulated Snowflake; see line-process.ts. A list of
one text goes to the database beneath the emulator, which takes seconds to read what holds many rows.
"""

import datetime
import json
import sys
import warnings

import fakesnow
import snowflake.connector

warnings.simplefilter("ignore")


def text(value):
    if value is None:
        return None
    if isinstance(value, datetime.datetime):
        if value.tzinfo is not None:
            value = value.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        return value.isoformat(sep=" ")
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    return str(value)


def ask(cursor, statement):
    if isinstance(statement, list):
        cursor._duck_conn.execute(statement[0])
        return {"columns": [], "rows": []}
    cursor.execute(statement)
    columns = [column[0] for column in cursor.description or []]
    return {"columns": columns, "rows": [[text(value) for value in row] for row in cursor.fetchall()]}


with fakesnow.patch():
    cursor = snowflake.connector.connect(database="DB", schema="RAW").cursor()
    for line in sys.stdin:
        try:
            answer = ask(cursor, json.loads(line))
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)
