#!/usr/bin/env bash
# The rows of sqlite.own against SQLite.
exec "$ROOT/tests/models/drive" sqlite 60 "-lsqlite3"
