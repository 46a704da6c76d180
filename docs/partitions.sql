-- Partitions the turns of large teams by month; those of all others stay together. Run it once, as the owner
-- of the store, with psql --single-transaction. docs/scale.md says what it takes.
SET LOCAL timezone = 'UTC';
SET LOCAL ROLE whence;
SET LOCAL search_path = whence;

ALTER TABLE turns RENAME TO turns_before;
CREATE TABLE turns (LIKE turns_before INCLUDING DEFAULTS INCLUDING GENERATED) PARTITION BY LIST (team);
CREATE TABLE turns_others PARTITION OF turns DEFAULT;

-- A month of a team has its own table, until a year from now; what is earlier or later goes into one more.
-- Run this part again before that, with the three lines above before it.
DO $$
DECLARE
	large text[] := ARRAY['ferry']; -- the teams
	since date := '2026-01-01';     -- the first month
	of_team text;
	month timestamptz;
	name text;
BEGIN
	FOREACH of_team IN ARRAY large LOOP
		EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF turns FOR VALUES IN (%L) PARTITION BY RANGE (created_at)', 'turns_' || of_team, of_team);
		EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I DEFAULT', 'turns_' || of_team || '_rest', 'turns_' || of_team);
		FOR month IN SELECT generate_series(date_trunc('month', since::timestamptz), now() + interval '1 year', interval '1 month') LOOP
			EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
				'turns_' || of_team || to_char(month, '_YYYY_MM'), 'turns_' || of_team, month, month + interval '1 month');
		END LOOP;
	END LOOP;
	FOR name IN SELECT relid FROM pg_partition_tree('turns') WHERE isleaf LOOP
		EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', name); -- nobody reads it but through turns
		EXECUTE format('ALTER TABLE %s SET (fillfactor = 80, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)', name);
	END LOOP;
END $$;

INSERT INTO turns (seq, team, owner, personal, session, uuid, role, kind, text, nearby, fold, count, rank, change, project, created_at, words, tsv)
SELECT seq, team, owner, personal, session, uuid, role, kind, text, nearby, fold, count, rank, change, project, created_at, words, tsv FROM turns_before;
DROP TABLE turns_before;

ALTER TABLE turns ALTER tsv SET STATISTICS 0;
ALTER TABLE turns ADD PRIMARY KEY (team, created_at, seq);
CREATE INDEX turns_seq ON turns (seq);
CREATE INDEX turns_created ON turns (team, created_at);
CREATE INDEX turns_session ON turns (session, seq);
CREATE INDEX turns_rank ON turns (session, rank, seq DESC);
CREATE INDEX turns_fold ON turns (session, fold) WHERE fold <> '';
CREATE INDEX turns_told ON turns (session) WHERE substr(uuid, 1, 5) = 'told:';
CREATE INDEX turns_keys ON turns USING gin (keys(team, reader, tsvector_to_array(tsv)));

ALTER TABLE turns ENABLE ROW LEVEL SECURITY;
CREATE POLICY turns_read ON turns FOR SELECT USING (team = (SELECT team()) AND reader IN ('', session_user::text));
CREATE POLICY turns_add ON turns FOR INSERT WITH CHECK (team = (SELECT writes()) AND owner = session_user::text AND EXISTS (SELECT FROM captured c WHERE c.seq = turns.seq));
CREATE POLICY turns_change ON turns FOR UPDATE USING (team = (SELECT writes()) AND owner = session_user::text)
	WITH CHECK (team = (SELECT writes()) AND owner = session_user::text AND EXISTS (SELECT FROM captured c WHERE c.seq = turns.seq));
CREATE POLICY turns_delete ON turns FOR DELETE USING (team = (SELECT writes()) AND owner = session_user::text);
CREATE TRIGGER turns_deleted AFTER DELETE ON turns REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION uncount();
CREATE TRIGGER turns_shared AFTER UPDATE OF personal ON turns FOR EACH ROW WHEN (OLD.personal <> NEW.personal AND OLD.tsv IS NOT NULL) EXECUTE FUNCTION recount();
GRANT SELECT, DELETE ON turns TO whence_member;
GRANT INSERT (seq, personal, session, uuid, role, kind, text, nearby, fold, count, rank, change, project, created_at) ON turns TO whence_member;
GRANT UPDATE (seq, personal, session, uuid, role, kind, text, nearby, fold, count, rank, change, project, created_at) ON turns TO whence_member;
