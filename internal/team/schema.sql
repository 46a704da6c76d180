-- Where the stores of teams meet. A team is a role without login: its members are the logins that have it,
-- its admins the logins that may grant it. Init grants it what members may do, on the rows of their own team.
CREATE SCHEMA whence;

CREATE TABLE whence.teams (team text COLLATE "C" PRIMARY KEY, role name NOT NULL UNIQUE);
ALTER TABLE whence.teams ENABLE ROW LEVEL SECURITY;
CREATE POLICY members ON whence.teams
	USING (EXISTS (SELECT FROM pg_roles r WHERE r.rolname = role AND pg_has_role(r.oid, 'USAGE')));

CREATE TABLE whence.learnings (
	team          text COLLATE "C" NOT NULL REFERENCES whence.teams,
	scope         text COLLATE "C" NOT NULL, id text COLLATE "C" NOT NULL,
	learning      jsonb CHECK (octet_length(learning::text) <= 400000), -- NULL: forgotten
	predecessor   text COLLATE "C",          -- the id before the last edit of the description
	origin        text COLLATE "C" NOT NULL, -- the store that changed the text last
	author        name NOT NULL,
	revision      bigint NOT NULL,           -- of the last change
	text_revision bigint NOT NULL,           -- of the last change of the text
	PRIMARY KEY (team, scope, id)
);
CREATE INDEX learnings_revision ON whence.learnings (team, scope, revision);
ALTER TABLE whence.learnings ENABLE ROW LEVEL SECURITY;
CREATE POLICY members ON whence.learnings USING (team IN (SELECT t.team FROM whence.teams t));

-- Revisions are drawn under a lock that the end of the transaction releases. So they rise in the order of
-- commits: a member who has pulled one has seen all that are lower.
CREATE SEQUENCE whence.revisions;
CREATE FUNCTION whence.revise() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
	counts CONSTANT text[] := '{observations,confidence,keywords,references,source,created,updated}';
BEGIN
	PERFORM pg_advisory_xact_lock(hashtextextended('whence ' || NEW.team, 0));
	NEW.revision := nextval('whence.revisions');
	IF TG_OP = 'INSERT' OR OLD.learning IS NULL THEN
		NEW.author := coalesce((SELECT l.author FROM whence.learnings l WHERE l.team = NEW.team AND l.scope = NEW.scope
			AND l.id = NEW.predecessor AND l.learning IS NOT NULL), session_user);
		NEW.text_revision := NEW.revision;
	ELSIF NEW.learning - counts IS DISTINCT FROM OLD.learning - counts THEN
		NEW.text_revision := NEW.revision;
	ELSE
		NEW.origin := OLD.origin;
	END IF;
	-- A new description makes a new id: then the old row goes, even if another member wrote it.
	IF TG_OP = 'UPDATE' AND OLD.learning IS NOT NULL AND NEW.learning IS NULL AND session_user <> OLD.author
		AND NOT (SELECT pg_has_role(session_user, t.role, 'USAGE WITH ADMIN OPTION') FROM whence.teams t WHERE t.team = OLD.team)
		AND NOT EXISTS (SELECT FROM whence.learnings l WHERE l.team = OLD.team AND l.scope = OLD.scope
			AND l.predecessor = OLD.id AND l.learning IS NOT NULL AND l.xmin = pg_current_xact_id()::xid) THEN
		RAISE insufficient_privilege USING MESSAGE = 'only its author or an admin of the team may forget a learning';
	END IF;
	RETURN NEW;
END $$;
CREATE TRIGGER revise BEFORE INSERT OR UPDATE ON whence.learnings FOR EACH ROW EXECUTE FUNCTION whence.revise();

CREATE TABLE whence.turns (
	seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	team    text COLLATE "C" NOT NULL REFERENCES whence.teams,
	scope   text COLLATE "C" NOT NULL, uuid text COLLATE "C" NOT NULL, login name NOT NULL DEFAULT session_user,
	session text NOT NULL, role text NOT NULL, kind text NOT NULL, text text NOT NULL, at timestamptz NOT NULL,
	words   text[] COLLATE "C" NOT NULL, -- stems, each behind a hash of team and scope
	UNIQUE (team, login, uuid)
);
CREATE INDEX turns_words ON whence.turns USING gin (words) WITH (fastupdate = off);
ALTER TABLE whence.turns ENABLE ROW LEVEL SECURITY;
CREATE POLICY members ON whence.turns FOR SELECT USING (team IN (SELECT t.team FROM whence.teams t));
CREATE POLICY own ON whence.turns USING (login = session_user AND team IN (SELECT t.team FROM whence.teams t));

-- The turns that share words with a question, best first, by the rarity of these words. Rows of rare words are
-- listed, up to 2,000 of each; words of more than a hundredth of all rows, as the statistics know them, only rank.
-- It runs as the owner, since row-level security keeps others from an index of words.
CREATE FUNCTION whence.search(team text, scope text, words text[], max_rows integer)
RETURNS TABLE (login name, session text, role text, kind text, text text, at timestamptz, score float8)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET enable_seqscan = off
AS $$
	WITH asked AS MATERIALIZED (
		SELECT word, l.seqs, ln(1 + coalesce(1 / s.share, n.rows / cardinality(l.seqs))) AS weight
		FROM (SELECT coalesce(max(t.seq), 1)::float8 AS rows FROM whence.turns t) n, unnest($3) AS word
		LEFT JOIN (SELECT e.word, e.share FROM pg_stats p, unnest(p.most_common_elems::text::text[], p.most_common_elem_freqs) AS e (word, share)
			WHERE p.schemaname = 'whence' AND p.tablename = 'turns' AND p.attname = 'words' AND e.share > 0.01) s USING (word)
		CROSS JOIN LATERAL (SELECT array_agg(f.seq) AS seqs FROM (SELECT t.seq FROM whence.turns t
			WHERE s.share IS NULL AND t.words @> ARRAY[word] AND t.team = $1 AND t.scope = $2 LIMIT 2000) f) l
		WHERE (l.seqs IS NOT NULL OR s.share IS NOT NULL) AND starts_with(word, left(encode(sha256(convert_to($1 || ' ' || $2, 'UTF8')), 'base64'), 12))
			AND EXISTS (SELECT FROM whence.teams t WHERE t.team = $1 AND pg_has_role(session_user, t.role, 'USAGE'))
	), ranked AS MATERIALIZED (
		SELECT *, row_number() OVER w AS rank, sum(cardinality(seqs)) OVER w AS rows FROM asked WINDOW w AS (ORDER BY weight DESC, word)
	), found AS MATERIALIZED (
		SELECT unnest(seqs) AS seq FROM ranked WHERE rank = 1 OR rows <= 4000
		UNION (SELECT t.seq FROM whence.turns t WHERE t.team = $1 AND t.scope = $2
			AND t.words @> (SELECT array_agg(word) FROM ranked WHERE rank <= 2) LIMIT 2000)
	)
	SELECT t.login, t.session, t.role, t.kind, t.text, t.at,
		(SELECT sum(weight) FROM ranked WHERE word = ANY (t.words)) * 100 / (100 + cardinality(t.words)) AS score
	FROM found JOIN whence.turns t USING (seq) ORDER BY score DESC, t.at DESC LIMIT $4
$$;
REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA whence FROM PUBLIC;

CREATE TABLE whence.applied ( -- operations
	team text COLLATE "C" NOT NULL REFERENCES whence.teams, id text COLLATE "C" NOT NULL, PRIMARY KEY (team, id)
);
ALTER TABLE whence.applied ENABLE ROW LEVEL SECURITY;
CREATE POLICY members ON whence.applied USING (team IN (SELECT t.team FROM whence.teams t));
