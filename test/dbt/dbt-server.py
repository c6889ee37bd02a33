"""Runs the commands of a dbt, each in a fork of this process, which has loaded dbt: that takes longer than many a command.

Reads lines {"folder", "parameters"}, and answers each with a line {"code", "output"}.
"""

import gc
import json
import os
import sys

from dbt.cli.main import cli
from dbt.adapters import duckdb  # noqa: F401 -- loads it

# A command ends long before it would run out of memory.
gc.disable()


def run(folder, parameters, output):
    os.chdir(folder)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    sys.argv = ["dbt", *parameters]
    cli()


while line := sys.stdin.readline():
    command = json.loads(line)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        run(command["folder"], command["parameters"], writer)
    os.close(writer)
    with os.fdopen(reader, encoding="utf8") as pipe:
        output = pipe.read()
    _, status = os.waitpid(child, 0)
    print(json.dumps({"code": os.waitstatus_to_exitcode(status), "output": output}), flush=True)
