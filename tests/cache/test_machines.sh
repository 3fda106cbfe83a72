#!/usr/bin/env bash
# Machines that share a store: three at once print what one prints and divide the work; one that is killed, a
# server that is restarted, gone, slow, or lies costs time only. The server is Debian's, on loopback.
set -u
cd "$TMP" || exit 1
fail=0
bad() { echo "$*"; fail=1; }
command -v redis-server >/dev/null || { echo "redis-server is not installed (see the file packages)"; exit 1; }
export STANCH_STORE_SECRET=a-secret-of-these-tests STANCH_STORE_PASSWORD=let-me-in

server=
start_server() {
    local try
    for try in 1 2 3 4 5; do
        [ -n "${port:-}" ] || port=$((20000 + RANDOM % 20000))
        redis-server --port "$port" --bind 127.0.0.1 --save "" --appendonly no --dir "$TMP" \
            --requirepass let-me-in --daemonize no >server.log 2>&1 &
        server=$!
        for _ in $(seq 100); do
            cli ping 2>/dev/null | grep -q PONG && return 0
            kill -0 $server 2>/dev/null || break
            sleep .05
        done
        stop_server
        [ "${1:-}" = same ] || port=
    done
    cat server.log
    exit 1
}
stop_server() {
    [ -z "$server" ] || { kill -9 "$server" && wait "$server"; } 2>/dev/null
    server=
}
cli() { REDISCLI_AUTH=let-me-in redis-cli -p "$port" "$@" 2>/dev/null; }
trap 'stop_server' EXIT
start_server

# A program of some hundred functions.
python3 - <<'P'
for n in range(6):
    with open(f"p{n}.c", "w") as f:
        f.write("#include <stdlib.h>\n")
        for i in range(20):
            name = f"f{n}_{i}"
            callee = f"f{n}_{i - 1}" if i else (f"f{n - 1}_19" if n else None)
            if callee:
                f.write(f"char *{callee}(int);\n")
            f.write(f"""char *{name}(int k)
{{
    char *p = {callee + '(k + 1)' if callee and i % 3 else 'malloc(k + 1)'};
    if (!p) return 0;
    for (int i = 0; i < k; i++) if (k == {i}) {{ char *q = malloc(i + 1); if (k > {i + 3}) return q; free(q); }}
    if (k == {7 * i}) return 0;
    return p;
}}
""")
    open(f"p{n}.c", "a").write("int main(int argc, char **argv) { free(f5_19(argc)); return 0; }\n" if n == 5 else "")
P
units=()
for n in 0 1 2 3 4 5; do
    "$STANCH" unit p$n.c -o p$n.unit --no-cache || exit 1
    units+=(p$n.unit)
done
options=(--level=audit --impact=at-exit --format=json)
"$STANCH" link "${options[@]}" --no-cache "${units[@]}" >alone.json 2>err
grep -q '"leak"' alone.json || bad "nothing is found at all: $(cat err)"

# worker NAME: a machine with a cache of its own.
worker() {
    "$STANCH" link "${options[@]}" -j1 --stats --cache-dir "$TMP/cache.$1" --store "redis://127.0.0.1:$port/2" \
        "${units[@]}" >"$1.json" 2>"$1.stats"
}
same() { cmp -s alone.json "$1.json" || bad "$2: the report is not that of one machine: $(diff alone.json "$1.json" | head -5) $(tail -3 "$1.stats")"; }
evaluated() { sed -n 's/^evaluation \([0-9]*\) functions.*/\1/p' "$1.stats"; }
field() { sed -n "s/^store.* \([0-9]*\) $2.*/\1/p" "$1.stats"; }

for w in a b c; do worker $w & done
wait_for() { local j; for j in $(jobs -p); do [ "$j" = "$server" ] || wait "$j"; done; }
wait_for
for w in a b c; do same $w "three at once"; done
all=$(($(evaluated a) + $(evaluated b) + $(evaluated c)))
[ "$all" -le 180 ] || bad "120 functions were evaluated $all times"
[ "$all" -ge 120 ] || bad "only $all functions were evaluated: the test measures nothing"
[ "$(cli -n 2 dbsize)" -ge 300 ] || bad "the store holds $(cli -n 2 dbsize) values"
[ "$(cli -n 2 ttl "$(cli -n 2 randomkey)")" -gt 0 ] || bad "a value is kept for ever"
worker d
same d "a fourth, later"
[ "$(evaluated d)" = 0 ] || bad "a fourth machine evaluated $(evaluated d) functions"

# Claims of a machine that is gone: they expire.
cli -n 2 flushdb >/dev/null
rm -rf cache.*
worker e & pid=$!
sleep .15; kill -9 $pid 2>/dev/null; wait $pid 2>/dev/null
worker f
same f "after a killed one"

# The server is restarted in the middle, and has forgotten everything.
cli -n 2 flushdb >/dev/null
rm -rf cache.*
worker g & first=$!
worker h & second=$!
sleep .1; stop_server; start_server same
wait $first $second
same g "with a restarted server"; same h "with a restarted server"

# A server that lies: values of others, values cut and changed, claims that nobody has.
rm -rf cache.*
worker i
cli -n 2 --raw keys 'stanch:1:r:*' | head -200 | while read -r key; do
    case $((RANDOM % 4)) in
    0) cli -n 2 append "$key" x ;;
    1) cli -n 2 setrange "$key" 3 zz ;;
    2) cli -n 2 set "$key" "" ;;
    3) cli -n 2 set "$key" "$(head -c 100 /dev/urandom | base64)" ;;
    esac
done >/dev/null
rm -rf cache.*
worker j
same j "with damaged values"
[ "$(field j refused)" -gt 0 ] || bad "no damaged value was noticed: $(grep ^store j.stats)"
# The same values under each other's keys.
cli -n 2 flushdb >/dev/null
rm -rf cache.*
worker i
cli -n 2 --raw keys 'stanch:1:r:*' | sort | head -80 | paste - - | while read -r x y; do
    cli -n 2 rename "$x" tmp; cli -n 2 rename "$y" "$x"; cli -n 2 rename tmp "$y"
done >/dev/null
rm -rf cache.*
worker k
same k "with exchanged values"
# Another secret: nothing is believed, and nothing disturbed.
STANCH_STORE_SECRET=another-secret-of-these worker l
same l "with another secret"
[ "$(evaluated l)" -ge 120 ] || bad "values sealed with another secret were believed"
# A list, garbage, silence where an answer should be; nobody there; the wrong password.
rm -rf cache.*
python3 - "$TMP/liar.port" <<'P' &
import os, socket, sys, threading, time
s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(50)
open(sys.argv[1] + ".tmp", "w").write(str(s.getsockname()[1])); os.rename(sys.argv[1] + ".tmp", sys.argv[1])
answers = [b"*1000000000\r\n", b"$9999999999999\r\n", b"-ERR\r\n", b"\x00\xff" * 40, b"$5\r\nhello\r\n", b"$-1\r\n" * 3, b":1\r\n"]
def serve(c, n):
    try:
        while c.recv(65536):
            c.sendall(answers[n % len(answers)]); n += 1
    except OSError:
        pass
n = 0
while True:
    c, _ = s.accept(); threading.Thread(target=serve, args=(c, n), daemon=True).start(); n += 1
P
liar=$!
for _ in $(seq 100); do [ -s liar.port ] && break; sleep .05; done
kept=$port; port=$(cat liar.port)
worker m
same m "with a server that talks nonsense"
kill $liar; wait $liar 2>/dev/null
rm -rf cache.*
worker n
same n "with nobody there"
[ "$(field n "failed")" -gt 0 ] || bad "that nobody is there is not said: $(grep ^store n.stats)"
port=$kept
STANCH_STORE_PASSWORD=wrong worker o
same o "with a wrong password"

# Units are shared too: the second machine compiles nothing.
cli flushall >/dev/null
for w in p q; do
    "$STANCH" check "${options[@]}" --stats --cache-dir "$TMP/cache.$w" --store "redis://127.0.0.1:$port" p?.c >$w.json 2>$w.stats
done
cmp -s p.json q.json || bad "units from the store give another report"
sed -n 's/^units *\([0-9.]*\).*/\1/p' p.stats q.stats | { read -r x; read -r y; awk "BEGIN { exit !($y < $x / 2) }" || bad "units were made twice: $x s, then $y s"; }
sed -i 's/k == 7)/k == 8)/' p0.c
"$STANCH" check "${options[@]}" --no-cache p?.c >p.json 2>/dev/null
"$STANCH" check "${options[@]}" --cache-dir "$TMP/cache.q" --store "redis://127.0.0.1:$port" p?.c >q.json 2>err
cmp -s p.json q.json || bad "after an edit the shared run differs: $(head -3 err)"

# What cannot be meant is refused before any work.
for url in http://x redis:// redis://h:99999 redis://user:word@h redis://h/x; do
    "$STANCH" link --store "$url" p0.unit >out 2>&1; [ $? -eq 2 ] || bad "$url is taken"
done
env -u STANCH_STORE_SECRET "$STANCH" link --store "redis://h" p0.unit >out 2>&1
[ $? -eq 2 ] && grep -q STANCH_STORE_SECRET out || bad "a store without a secret is taken"
exit $fail
