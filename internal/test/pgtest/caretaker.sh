# Runs a PostgreSQL server in this folder, $1. Each line of standard input is a command, answered with
# its exit status. Standard input ends with the test binary, however that ends: then the server is
# stopped and the folder removed.
trap '' PIPE # nobody may be left to read the answers

line() { sed -n "$1p" data/postmaster.pid 2>/dev/null; }

start() { # with arguments of postgres
	rm -f ended
	{ postgres -D data "$@" >>log 2>&1; : >ended; } &
	until line 8 | grep -q ready; do
		[ ! -e ended ] || return 1
		sleep 0.01
	done
}

stop() { # with a signal
	kill "-$1" "$(line 1)" && wait
}

while read -r command; do
	eval "$command" </dev/null
	echo $?
done
stop QUIT 2>/dev/null
# A crashed server leaves its shared memory behind: the second number of line 7.
memory=$(line 7)
[ -z "$memory" ] || ipcrm -m "${memory##* }" 2>/dev/null
cd /
rm -rf "$1" || { sleep 1; rm -rf "$1"; } # killed processes may have been writing
