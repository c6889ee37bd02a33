"""Reads models as JSON from the input, and prints for each the names of its columns, or what is wrong."""
import json
import sys

import sqlglot
from sqlglot.errors import ErrorLevel

GRAMMARS = {"sqlserver": "tsql"}


def read(model):
    dialect = GRAMMARS.get(model["dialect"], model["dialect"])
    try:
        tree = sqlglot.parse_one(model["sql"], read=dialect, error_level=ErrorLevel.RAISE)
    except Exception as error:
        return {"error": str(error).split("\n")[0]}
    selects = [table.this for table in tree.find_all(sqlglot.exp.CTE)]
    return {"names": selects[-1].named_selects if selects else tree.named_selects}


print(json.dumps([read(model) for model in json.load(sys.stdin)]))
