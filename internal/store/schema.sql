CREATE TABLE entries (
	seq               INTEGER PRIMARY KEY,
	id                TEXT NOT NULL,
	name              TEXT NOT NULL,
	description       TEXT NOT NULL,
	reasoning         TEXT NOT NULL,
	category          TEXT NOT NULL CHECK (category IN ('anti-patterns', 'heuristics', 'patterns')),
	keywords          TEXT NOT NULL DEFAULT '[]', -- JSON
	source            TEXT NOT NULL CHECK (source IN ('import', 'manual', 'retro', 'session-capture')),
	source_project    TEXT,                       -- NULL: it holds everywhere
	"references"      TEXT NOT NULL DEFAULT '[]', -- JSON
	observation_count INTEGER NOT NULL DEFAULT 1,
	confidence        TEXT NOT NULL DEFAULT 'medium' CHECK (confidence IN ('high', 'low', 'medium')),
	recall_count      INTEGER NOT NULL DEFAULT 0, -- shown to an agent when its session began
	last_recalled_at  TEXT,
	search_count      INTEGER NOT NULL DEFAULT 0, -- found by a search
	last_used_at      TEXT,                       -- found by a search
	folded            TEXT NOT NULL,              -- hash of learning.Folded: equal learnings have the same
	words             TEXT NOT NULL,              -- stems of name, keywords, description, reasoning, parts: a line each
	embedding         BLOB,                       -- float32, little-endian
	embedding_model   TEXT,
	created_at        TEXT NOT NULL,              -- UTC, as all times: 2006-01-02T15:04:05Z
	updated_at        TEXT NOT NULL
);
CREATE UNIQUE INDEX entries_id ON entries (id, coalesce(source_project, ''));
CREATE INDEX entries_project ON entries (source_project);
CREATE INDEX entries_folded ON entries (folded);
CREATE INDEX entries_name ON entries (lower(name));
CREATE INDEX entries_created ON entries (created_at);
CREATE INDEX entries_updated ON entries (updated_at);
CREATE INDEX entries_observed ON entries (observation_count);

CREATE TABLE observations (
	entry   INTEGER NOT NULL REFERENCES entries (seq) ON DELETE CASCADE,
	session TEXT NOT NULL DEFAULT '',
	at      TEXT NOT NULL
);
CREATE INDEX observations_entry ON observations (entry, session);

CREATE TABLE sessions (
	id              TEXT PRIMARY KEY,
	silent_captures INTEGER NOT NULL DEFAULT 0,
	updated_at      TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE rejections ( -- insights that the user turned down in a session
	session TEXT NOT NULL,
	folded  TEXT NOT NULL,
	at      TEXT NOT NULL,
	PRIMARY KEY (session, folded)
) WITHOUT ROWID;

CREATE TABLE forgotten ( -- learnings that the user has deleted: an import does not bring them back
	folded  TEXT NOT NULL,
	project TEXT NOT NULL, -- '': it held everywhere
	PRIMARY KEY (folded, project)
) WITHOUT ROWID;

CREATE TABLE transcripts ( -- the queue of what is to be captured
	path     TEXT PRIMARY KEY,
	session  TEXT NOT NULL,
	agent    TEXT NOT NULL,
	cwd      TEXT NOT NULL,
	project  TEXT NOT NULL,
	watch    BLOB,                         -- what events have found out about it
	days     INTEGER NOT NULL DEFAULT 0,   -- how long turns are kept; 0: for good
	state    BLOB,                         -- how far it was read; NULL: not at all
	seen_at  TEXT NOT NULL,                -- the last event
	ended    INTEGER NOT NULL DEFAULT 0,   -- it was the end of the session
	finished INTEGER NOT NULL DEFAULT 0   -- and all was read after it
) WITHOUT ROWID;

CREATE TABLE consents ( -- to the capture of sessions, which the user has typed
	agent   TEXT NOT NULL,
	project TEXT NOT NULL, -- '': everywhere
	PRIMARY KEY (agent, project)
) WITHOUT ROWID;

CREATE TABLE withdrawals ( -- when there was no consent any more
	agent TEXT NOT NULL,
	since TEXT NOT NULL,
	until TEXT             -- NULL: up to now
);

CREATE TABLE turns (
	seq        INTEGER PRIMARY KEY,
	uuid       TEXT NOT NULL UNIQUE,
	session    TEXT NOT NULL,
	role       TEXT NOT NULL,
	kind       TEXT NOT NULL,
	text       TEXT NOT NULL,
	change     TEXT NOT NULL DEFAULT '', -- the change that the session works on
	project    TEXT NOT NULL,
	words      TEXT NOT NULL,            -- stems of text and change
	tags       TEXT GENERATED ALWAYS AS
		('raw,phase:auto-extract,source:hook' || CASE change WHEN '' THEN '' ELSE ',change:' || change END),
	created_at TEXT NOT NULL
);
CREATE INDEX turns_session ON turns (session, seq);
CREATE INDEX turns_project ON turns (project);
CREATE INDEX turns_created ON turns (created_at);

-- The history of a repository: those commits that give a reason, and of all others the hash alone.
CREATE TABLE commits (
	seq        INTEGER PRIMARY KEY,
	project    TEXT NOT NULL,
	hash       TEXT NOT NULL,
	subject    TEXT NOT NULL,
	words      TEXT NOT NULL, -- stems of the message
	created_at TEXT,          -- NULL: it could not be read
	UNIQUE (project, hash)
);
CREATE INDEX commits_project ON commits (project) WHERE words <> '';

-- Records that were said while capture was off, and turns that were pruned: never to be stored (again).
CREATE TABLE gone (uuid TEXT PRIMARY KEY) WITHOUT ROWID;

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

-- The program cuts and stems words; the indexes hold which rows have a word, that of their repository included, and no text.
CREATE VIRTUAL TABLE entries_fts USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
CREATE TRIGGER entries_deleted AFTER DELETE ON entries BEGIN
	DELETE FROM entries_fts WHERE rowid = old.seq;
END;
CREATE VIRTUAL TABLE turns_fts USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
CREATE TRIGGER turns_deleted AFTER DELETE ON turns BEGIN
	DELETE FROM turns_fts WHERE rowid = old.seq;
END;
CREATE VIRTUAL TABLE commits_fts USING fts5 (words, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
CREATE TRIGGER commits_deleted AFTER DELETE ON commits BEGIN
	DELETE FROM commits_fts WHERE rowid = old.seq;
END;
