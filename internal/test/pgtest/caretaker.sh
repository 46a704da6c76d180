# Makes and runs a PostgreSQL server in this folder, $1, and prints its port once it accepts connections.
# Standard input ends with the test binary, however that ends: then the server is stopped and the folder
# removed.
trap '' PIPE # the reader of the port may have exited

line() { sed -n "$1p" data/postmaster.pid 2>/dev/null; }

start() { # on a port outside the range that the system assigns, which may be taken
	for try in 1 2 3 4 5 6 7 8 9; do
		port=$((10000 + $(od -An -N2 -tu2 /dev/urandom) % 20000))
		rm -f ended
		{ # a server that is killed leaves other shared memory than that of mmap behind
			postgres -D data -p "$port" -c listen_addresses=127.0.0.1 -c unix_socket_directories="$1" \
				-c dynamic_shared_memory_type=mmap -c max_connections=200 -c log_checkpoints=off \
				-c timezone=UTC -c log_timezone=UTC -c fsync=off -c synchronous_commit=off -c full_page_writes=off
			: >ended
		} >>log 2>&1 &
		while [ ! -e ended ]; do
			line 8 | grep -q ready && echo "$port" && return
			sleep 0.01
		done
	done
	return 1
}

if initdb -D data -U postgres -E UTF8 --locale=C --auth=scram-sha-256 --pwfile=password --no-sync --no-instructions >>log 2>&1 &&
	start "$1"; then
	cat >/dev/null
else
	tail -n 20 log >&2
fi
exec >&-
kill -QUIT "$(line 1)" 2>/dev/null && wait
# A crashed server leaves its shared memory behind: the second number of line 7.
memory=$(line 7)
[ -z "$memory" ] || ipcrm -m "${memory##* }" 2>/dev/null
cd /
rm -rf "$1" || { sleep 1; rm -rf "$1"; } # killed processes may have been writing
