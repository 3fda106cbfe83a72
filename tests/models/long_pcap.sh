#!/usr/bin/env bash
# The rows of pcap.own against the library.
set -e
"$ROOT/tools/deps" "$ROOT/tests/models/packages"
MODEL_CFLAGS=$(pkg-config --cflags libpcap) exec "$ROOT/tests/models/drive" pcap 60 "$(pkg-config --libs libpcap)"
