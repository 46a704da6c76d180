-- Rows that have one of the words alone, or two of those paired, best first. Most of the time goes by
-- with scores: a common word alone is rarely worth one, and a row of another project never is. The
-- project NULL is all of them; newest is how many of the rows are scored, or NULL. Scores are those of
-- the function best. No other index than that of the words is of use, whatever statistics say: so
-- team, reader and seq are no plain columns here. In FROM, unnest would take twice as long.
CREATE FUNCTION ranked(of_kind text, alone text[], paired text[], project text, stems text[], rarities double precision[], mean double precision, newest bigint, most bigint)
RETURNS TABLE (seq bigint, score double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = whence, pg_temp SET jit = off SET enable_seqscan = off AS $$
DECLARE
	of_team text := team();
	reader text;
	held text := 'keys(t.team, t.reader, tsvector_to_array(t.tsv))';
	found text := held || ' && $1';
	within text := '';
	pair bigint[];
BEGIN
	FOREACH reader IN ARRAY ARRAY['', session_user::text] LOOP
		pair := keys(of_team, reader, paired);
		FOR i IN 1 .. coalesce(cardinality(pair), 0) - 1 LOOP
			found := found || format(' OR %1$s @> %2$L AND %1$s && %3$L', held, pair[i:i], pair[i + 1:]);
		END LOOP;
	END LOOP;
	IF project IS NOT NULL THEN
		within := CASE of_kind WHEN 'entries' THEN 'AND (t.source_project IS NULL OR t.source_project = $7)' ELSE 'AND (t.project IS NULL OR t.project = $7)' END;
	END IF;
	RETURN QUERY EXECUTE format($q$
		SELECT t.seq, (
			SELECT coalesce(sum($3[array_position($2, (u).lexeme)] * (u).positions[1] * 2.2 / ((u).positions[1] + 12 * (0.25 + 0.75 * t.words / $4))), 0)
			FROM (SELECT unnest(ts_filter(setweight(t.tsv, 'A', $2), '{a}')) AS u OFFSET 0) v) AS score
		FROM (SELECT t.seq, t.tsv, t.words FROM %I t WHERE (%s) AND t.team || '' = $6 AND t.reader || '' IN ('', session_user::text) %s %s) t
		ORDER BY score DESC, t.seq LIMIT $5 $q$, CASE of_kind WHEN 'entries' THEN 'entries' ELSE 'turns' END, found, within, coalesce('ORDER BY t.seq + 0 DESC LIMIT ' || newest, 'LIMIT 20000'))
	USING keys(of_team, '', alone) || keys(of_team, session_user, alone), stems, rarities, greatest(mean, 1), most, of_team, project;
END $$;
REVOKE ALL ON FUNCTION ranked(text, text[], text[], text, text[], double precision[], double precision, bigint, bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ranked(text, text[], text[], text, text[], double precision[], double precision, bigint, bigint) TO whence_member;

-- Each write changes words and totals, and new turns slow down searches until a vacuum.
ALTER TABLE words SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05, autovacuum_vacuum_cost_delay = 0);
ALTER TABLE totals SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
ALTER TABLE turns SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE captured SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE entries SET (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- The planner never uses these statistics, and they take most of the time of ANALYZE.
ALTER TABLE turns ALTER tsv SET STATISTICS 0;
ALTER TABLE entries ALTER tsv SET STATISTICS 0;
ALTER INDEX turns_keys ALTER 1 SET STATISTICS 0;
ALTER INDEX entries_keys ALTER 1 SET STATISTICS 0;

-- How many rows have each stem, by the rows themselves.
CREATE FUNCTION counted(of_kind text, stems text[]) RETURNS TABLE (stem text, rows bigint)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = whence, pg_temp SET enable_seqscan = off AS $$
BEGIN
	FOREACH stem IN ARRAY stems LOOP
		EXECUTE format($q$ SELECT count(*) FROM %I t WHERE keys(t.team, t.reader, tsvector_to_array(t.tsv)) && $1 AND t.team || '' = team() AND t.reader || '' IN ('', session_user::text) $q$,
			CASE of_kind WHEN 'entries' THEN 'entries' ELSE 'turns' END)
		INTO rows USING keys(team(), '', ARRAY[stem]) || keys(team(), session_user, ARRAY[stem]);
		RETURN NEXT;
	END LOOP;
END $$;
REVOKE ALL ON FUNCTION counted(text, text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION counted(text, text[]) TO whence_member;

-- Statistics of tables that have grown by a tenth since the last ones: autovacuum comes only after a
-- minute. A table that others analyze or vacuum is left to them.
CREATE FUNCTION refresh_statistics() RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = whence, pg_temp AS $$
DECLARE stale text;
BEGIN
	IF pg_is_in_recovery() OR writes() IS NULL THEN
		RETURN;
	END IF;
	FOR stale IN SELECT s.relname FROM pg_stat_user_tables s JOIN pg_class c ON c.oid = s.relid
		WHERE s.schemaname = 'whence' AND (c.reltuples < 0 OR s.n_mod_since_analyze > 1000 + c.reltuples / 10) ORDER BY 1 LOOP
		EXECUTE format('ANALYZE (SKIP_LOCKED) %I', stale);
	END LOOP;
END $$;
REVOKE ALL ON FUNCTION refresh_statistics() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION refresh_statistics() TO whence_member;

-- What becomes everybody's, or one person's again, is counted there. Turns may be in partitions, which
-- have other names.
CREATE OR REPLACE FUNCTION recount() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = whence, pg_temp AS $$
DECLARE of_kind text := CASE TG_TABLE_NAME WHEN 'entries' THEN 'entries' ELSE 'turns' END;
BEGIN
	INSERT INTO words AS w (team, reader, kind, stem, rows)
	SELECT r.team, r.reader, of_kind, l.stem, r.n
	FROM (VALUES (OLD.team, OLD.reader, OLD.tsv, -1), (NEW.team, NEW.reader, OLD.tsv, 1)) AS r (team, reader, tsv, n), unnest(tsvector_to_array(r.tsv)) AS l (stem)
	ORDER BY l.stem, r.reader
	ON CONFLICT (team, kind, stem, reader) DO UPDATE SET rows = w.rows + excluded.rows;
	INSERT INTO totals AS t (team, reader, kind, rows, words)
	VALUES (OLD.team, OLD.reader, of_kind, -1, -OLD.words), (NEW.team, NEW.reader, of_kind, 1, OLD.words)
	ON CONFLICT (team, reader, kind) DO UPDATE SET rows = t.rows + excluded.rows, words = t.words + excluded.words;
	DELETE FROM words w WHERE w.team = OLD.team AND w.kind = of_kind AND w.rows <= 0;
	RETURN NULL;
END $$;
