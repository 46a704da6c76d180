-- Words are cut and reduced in another way: Init counts those of all rows anew.
TRUNCATE words, totals;
ALTER FUNCTION index_entries(bigint[], text[], integer[]) RENAME TO set_words_of_entries;
ALTER FUNCTION index_turns(bigint[], text[], integer[]) RENAME TO set_words_of_turns;

-- A program of an older version that is connected takes the server for one that cannot be used
-- now, and keeps what it has to send.
DO $do$
DECLARE of_kind text;
BEGIN
	FOREACH of_kind IN ARRAY '{entries,turns}'::text[] LOOP
		EXECUTE format($f$
			CREATE FUNCTION index_%1$s(bigint[], text[], integer[]) RETURNS void LANGUAGE plpgsql AS $$
			BEGIN
				RAISE EXCEPTION 'the store was brought to a newer version: update whence' USING ERRCODE = 'cannot_connect_now';
			END $$ $f$, of_kind);
		EXECUTE format('REVOKE ALL ON FUNCTION index_%1$s(bigint[], text[], integer[]) FROM PUBLIC', of_kind);
		EXECUTE format('GRANT EXECUTE ON FUNCTION index_%1$s(bigint[], text[], integer[]) TO whence_member', of_kind);
	END LOOP;
END $do$;
