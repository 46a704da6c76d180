# Waits for the end of the test binary, however that comes: then standard input ends, from
# which the process of the server is read whenever there is another one (0: none). Stops the
# server, gives back the memory that a killed one has left, and removes its folder.
server=0
while read -r next; do server=$next; done

if [ "$server" != 0 ] && kill -QUIT "$server" 2>/dev/null; then
	tries=0
	while [ -e "$1/data/postmaster.pid" ] && kill -0 "$server" 2>/dev/null; do
		tries=$((tries + 1))
		[ "$tries" -lt 100 ] || kill -KILL "$server" 2>/dev/null
		[ "$tries" -lt 150 ] || break
		sleep 0.1
	done
fi
if [ -s "$1/data/postmaster.pid" ]; then
	# The seventh line is the key and the number of its shared memory.
	set -- "$1" $(sed -n 7p "$1/data/postmaster.pid")
	[ -z "${3-}" ] || ipcrm -m "$3" 2>/dev/null
fi
cd /
rm -rf "$1" || { sleep 1; rm -rf "$1"; } # what was killed may have been writing
