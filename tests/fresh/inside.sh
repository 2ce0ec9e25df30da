#!/bin/sh
# Within the bare Debian, as root: what a new user does, in a clone of /posed.bundle.
set -eu
cd /root
passed=0 failed=0

# close: the last line, as all suites have it.
close() {
	echo "fresh: $passed passed, $failed failed, 0 skipped"
	[ $failed = 0 ]
	exit
}

# judge NAME SECONDS WORDS: how a step went; the first that fails is the last.
judge() {
	echo "fresh: $1 took $2 s: $3"
	if [ "$3" = "as it should" ]; then
		passed=$((passed + 1))
		return
	fi
	failed=$((failed + 1))
	close
}

now() {
	date +%s
}

git -c advice.detachedHead=false clone -q /posed.bundle posed
cd posed

begun=$(now)
make > ../make.log 2>&1 && outcome="built on a bare machine" || outcome="as it should"
grep -q 'apt-get install --no-install-recommends .*libmicrohttpd-dev' ../make.log ||
	outcome="did not name the missing packages"
grep -E '^(cc|c\+\+) |: not found$' ../make.log && outcome="ran what is not there"
judge make $(($(now) - begun)) "$outcome"

# In a session of its own, which is interrupted as a whole, as Ctrl-C does it.
begun=$(now)
env --default-signal setsid make run > ../run.log 2>&1 &
runner=$!
tail -f -n +1 ../run.log &
shown=$!
while ! grep -q '^stop: ' ../run.log && kill -0 $runner 2>/dev/null; do
	sleep 0.2
done
seconds=$(($(now) - begun))
outcome="as it should"
tried=$(sed -n 's/^try: *//p' ../run.log)
if [ -z "$tried" ]; then
	outcome="ended before it listened"
else
	(cd .. && eval "$tried") || outcome="did not answer"
	head -c 4 ../humanoid.png | grep -q PNG || outcome="drew no picture"
fi
kill -INT -$runner 2>/dev/null || true
wait $runner || true
kill $shown
judge "make run" $seconds "$outcome"

begun=$(now)
{ make test 2>&1 || echo "make test ended with $?"; } | tee ../test.log
outcome="as it should"
grep -qE '^[0-9]+ passed, 0 failed, [0-9]+ skipped$' ../test.log || outcome="failed"
grep -q '^make test ended with' ../test.log && outcome="failed"
judge "make test" $(($(now) - begun)) "$outcome"
close
