"""
Starts bqemulator without the extension "spatial" of DuckDB, which it would download. Usage: bigquery_emulator.py REST-PORT GRPC-PORT
"""

import sys

import bqemulator.storage.engine as engine
from bqemulator.cli import main

for name in dir(engine):
    part = getattr(engine, name)
    if isinstance(part, type) and hasattr(part, "_load_spatial"):
        part._load_spatial = lambda self: None

rest, grpc = sys.argv[1:]
sys.argv = ["bqemulator", "start", "--rest-port", rest, "--grpc-port", grpc, "--project", "p"]
main()
