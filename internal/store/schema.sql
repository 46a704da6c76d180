CREATE TABLE entries (
	seq               INTEGER PRIMARY KEY, -- what the full-text index refers to
	id                TEXT NOT NULL UNIQUE,
	name              TEXT NOT NULL,
	description       TEXT NOT NULL,
	reasoning         TEXT NOT NULL,
	category          TEXT NOT NULL CHECK (category IN ('anti-patterns', 'heuristics', 'patterns')),
	keywords          TEXT NOT NULL DEFAULT '[]', -- JSON
	source            TEXT NOT NULL CHECK (source IN ('import', 'manual', 'retro', 'session-capture')),
	source_project    TEXT,                       -- NULL: it holds everywhere
	personal          INTEGER NOT NULL DEFAULT 0, -- for one person alone, where others use a copy of the store
	"references"      TEXT NOT NULL DEFAULT '[]', -- JSON
	observation_count INTEGER NOT NULL DEFAULT 1,
	confidence        TEXT NOT NULL DEFAULT 'medium' CHECK (confidence IN ('high', 'low', 'medium')),
	recall_count      INTEGER NOT NULL DEFAULT 0, -- handed to an agent when its session began
	last_recalled_at  TEXT,
	search_count      INTEGER NOT NULL DEFAULT 0, -- found by a search
	last_used_at      TEXT,                       -- found by a search
	retired           TEXT,                       -- why it no longer holds
	folded            TEXT NOT NULL,              -- hash of learning.Folded
	source_hash       TEXT,
	embedding         BLOB,                       -- float32, little-endian
	revision          INTEGER NOT NULL DEFAULT 0, -- the order of changes: a copy asks for later ones alone
	created_at        TEXT NOT NULL,              -- UTC, as all times: 2006-01-02T15:04:05Z
	updated_at        TEXT NOT NULL
);
CREATE INDEX entries_folded ON entries (folded);
CREATE INDEX entries_created ON entries (created_at);
CREATE INDEX entries_updated ON entries (updated_at);
CREATE INDEX entries_observed ON entries (observation_count);
CREATE INDEX entries_name ON entries (lower(name));
CREATE INDEX entries_revision ON entries (revision);
-- The learnings that apply in a project are counted when a session begins. As an expression, the
-- project serves no other query, which would be slower by it.
CREATE INDEX entries_counted ON entries (coalesce(source_project, '')) WHERE retired IS NULL;

CREATE TABLE forgotten (
	revision INTEGER PRIMARY KEY,
	id       TEXT NOT NULL,
	personal INTEGER NOT NULL,
	at       TEXT NOT NULL
);

CREATE TABLE observations (
	entry   INTEGER NOT NULL REFERENCES entries (seq) ON DELETE CASCADE,
	session TEXT NOT NULL DEFAULT '',
	at      TEXT NOT NULL
);
CREATE INDEX observations_entry ON observations (entry, session);

CREATE TABLE sessions (
	id              TEXT PRIMARY KEY,
	silent_captures INTEGER NOT NULL DEFAULT 0,
	change          TEXT NOT NULL DEFAULT '', -- that it works on; '' is unknown
	updated_at      TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE rejections (
	session TEXT NOT NULL,
	folded  TEXT NOT NULL,
	at      TEXT NOT NULL,
	PRIMARY KEY (session, folded)
) WITHOUT ROWID;

CREATE TABLE transcripts (
	path       TEXT PRIMARY KEY,
	session    TEXT NOT NULL,
	project    TEXT,
	state      BLOB NOT NULL, -- how far it was read
	updated_at TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX transcripts_session ON transcripts (session);

-- Every turn that ever came, also those that were merged, dropped or pruned: none comes
-- twice.
CREATE TABLE captured (
	seq     INTEGER PRIMARY KEY, -- order of arrival
	uuid    TEXT NOT NULL UNIQUE,
	session TEXT NOT NULL,       -- in which it came first
	turn    INTEGER,             -- where it is counted; NULL: not kept
	rank    INTEGER NOT NULL,    -- it comes back only with a higher one
	digest  INTEGER              -- of session and text, while it is kept
);
CREATE INDEX captured_session ON captured (session);
CREATE INDEX captured_turn ON captured (turn) WHERE turn IS NOT NULL;
CREATE INDEX captured_digest ON captured (digest) WHERE digest IS NOT NULL;

CREATE TABLE turns (
	seq        INTEGER PRIMARY KEY, -- that of its uuid in captured
	session    TEXT NOT NULL,
	uuid       TEXT NOT NULL,
	role       TEXT NOT NULL,
	kind       TEXT NOT NULL DEFAULT '',
	text       TEXT NOT NULL,
	nearby     TEXT,                         -- the turns before and after; NULL: not indexed yet, in its first transaction
	fold       TEXT NOT NULL DEFAULT '',     -- turns of a session that share one are one; '' is none
	count      INTEGER NOT NULL DEFAULT 1,   -- how many are
	rank       INTEGER NOT NULL DEFAULT 0,   -- the highest stay where there are too many
	change     TEXT NOT NULL DEFAULT '',     -- that of the session
	tags       TEXT GENERATED ALWAYS AS ('raw,phase:auto-extract,source:hook' || CASE change WHEN '' THEN '' ELSE ',change:' || change END),
	project    TEXT,
	personal   INTEGER NOT NULL DEFAULT 1,
	created_at TEXT NOT NULL
);
CREATE INDEX turns_created ON turns (created_at);
CREATE INDEX turns_session ON turns (session, seq);
CREATE INDEX turns_rank ON turns (session, rank, seq DESC);
CREATE INDEX turns_fold ON turns (session, fold) WHERE fold != '';
CREATE INDEX turns_told ON turns (session) WHERE substr(uuid, 1, 5) = 'told:'; -- by an event, before the transcript had it

-- What was sent from elsewhere, so that nothing counts twice.
CREATE TABLE delivered (key TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- The program cuts and stems the words of a row, in the transaction that changes it; the full-text
-- indexes keep them as they are.
CREATE VIRTUAL TABLE entries_fts USING fts5 (name, keywords, description, reasoning, parts, tokenize = 'ascii');
INSERT INTO entries_fts (entries_fts, rank) VALUES ('secure-delete', 1); -- what is forgotten is gone
CREATE VIRTUAL TABLE entries_words USING fts5vocab ('entries_fts', 'row');
CREATE TRIGGER entries_deleted AFTER DELETE ON entries BEGIN
	DELETE FROM entries_fts WHERE rowid = old.seq;
END;
-- Without secure-delete, which makes it 25 times as slow to add one turn beside others: the
-- index is rewritten where turns are forgotten.
CREATE VIRTUAL TABLE turns_fts USING fts5 (text, nearby, change, tokenize = 'ascii');
CREATE VIRTUAL TABLE turns_words USING fts5vocab ('turns_fts', 'row');
CREATE TRIGGER turns_deleted AFTER DELETE ON turns BEGIN
	DELETE FROM turns_fts WHERE rowid = old.seq;
END;
CREATE TRIGGER turns_moved AFTER UPDATE OF seq ON turns WHEN old.seq <> new.seq BEGIN
	DELETE FROM turns_fts WHERE rowid = old.seq;
END;
