CREATE TABLE entries (
	seq               INTEGER PRIMARY KEY, -- what the full-text index refers to
	id                TEXT NOT NULL UNIQUE,
	name              TEXT NOT NULL,
	description       TEXT NOT NULL,
	reasoning         TEXT NOT NULL,
	category          TEXT NOT NULL CHECK (category IN ('anti-patterns', 'heuristics', 'patterns')),
	keywords          TEXT NOT NULL DEFAULT '[]', -- JSON
	parts             TEXT NOT NULL DEFAULT '',   -- what identifiers are made of
	source            TEXT NOT NULL CHECK (source IN ('import', 'manual', 'retro', 'session-capture')),
	source_project    TEXT,                       -- NULL: it holds everywhere
	"references"      TEXT NOT NULL DEFAULT '[]', -- JSON
	observation_count INTEGER NOT NULL DEFAULT 1,
	confidence        TEXT NOT NULL DEFAULT 'medium' CHECK (confidence IN ('high', 'low', 'medium')),
	recall_count      INTEGER NOT NULL DEFAULT 0, -- handed to an agent unasked
	last_recalled_at  TEXT,
	search_count      INTEGER NOT NULL DEFAULT 0, -- found by a search
	influence_count   INTEGER NOT NULL DEFAULT 0, -- said to have helped
	last_used_at      TEXT,                       -- found by a search, or said to have helped
	retired           TEXT,                       -- why it no longer holds
	folded            TEXT NOT NULL,              -- hash of learning.Folded
	source_hash       TEXT,
	embedding         BLOB,                       -- float32, little-endian
	created_at        TEXT NOT NULL,              -- UTC, as all times: 2006-01-02T15:04:05Z
	updated_at        TEXT NOT NULL
);
CREATE INDEX entries_folded ON entries (folded);
CREATE INDEX entries_created ON entries (created_at);
CREATE INDEX entries_updated ON entries (updated_at);
CREATE INDEX entries_observed ON entries (observation_count);
CREATE INDEX entries_influence ON entries (influence_count);
CREATE INDEX entries_name ON entries (name COLLATE NOCASE);

CREATE TABLE observations (
	entry   INTEGER NOT NULL REFERENCES entries (seq) ON DELETE CASCADE,
	session TEXT NOT NULL DEFAULT '',
	at      TEXT NOT NULL
);
CREATE INDEX observations_entry ON observations (entry, session);

CREATE TABLE feedback (
	entry   INTEGER NOT NULL REFERENCES entries (seq) ON DELETE CASCADE,
	verdict TEXT NOT NULL CHECK (verdict IN ('helped', 'wrong', 'outdated')),
	reason  TEXT NOT NULL DEFAULT '',
	session TEXT NOT NULL DEFAULT '',
	at      TEXT NOT NULL
);
CREATE INDEX feedback_entry ON feedback (entry);

CREATE TABLE links (
	entry       INTEGER NOT NULL REFERENCES entries (seq) ON DELETE CASCADE,
	contradicts INTEGER NOT NULL REFERENCES entries (seq) ON DELETE CASCADE,
	at          TEXT NOT NULL,
	PRIMARY KEY (entry, contradicts)
) WITHOUT ROWID;
CREATE INDEX links_contradicts ON links (contradicts);

CREATE TABLE sessions (
	id              TEXT PRIMARY KEY,
	silent_captures INTEGER NOT NULL DEFAULT 0,
	updated_at      TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE rejections (
	session TEXT NOT NULL,
	folded  TEXT NOT NULL,
	text    TEXT NOT NULL,
	at      TEXT NOT NULL,
	PRIMARY KEY (session, folded)
) WITHOUT ROWID;

CREATE TABLE turns (
	seq        INTEGER PRIMARY KEY,
	session    TEXT NOT NULL,
	uuid       TEXT NOT NULL,
	role       TEXT NOT NULL,
	text       TEXT NOT NULL,
	nearby     TEXT NOT NULL DEFAULT '', -- the turns before and after
	project    TEXT,
	tags       TEXT NOT NULL DEFAULT '',
	created_at TEXT NOT NULL,
	UNIQUE (session, uuid)
);
CREATE INDEX turns_created ON turns (created_at);
CREATE INDEX turns_session ON turns (session, seq);

CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE VIRTUAL TABLE entries_fts USING fts5 (
	name, keywords, description, reasoning, parts,
	content = 'entries', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO entries_fts (entries_fts, rank) VALUES ('secure-delete', 1); -- what is forgotten is gone
CREATE VIRTUAL TABLE entries_words USING fts5vocab ('entries_fts', 'row');
CREATE TRIGGER entries_inserted AFTER INSERT ON entries BEGIN
	INSERT INTO entries_fts (rowid, name, keywords, description, reasoning, parts)
	VALUES (new.seq, new.name, new.keywords, new.description, new.reasoning, new.parts);
END;
CREATE TRIGGER entries_deleted AFTER DELETE ON entries BEGIN
	INSERT INTO entries_fts (entries_fts, rowid, name, keywords, description, reasoning, parts)
	VALUES ('delete', old.seq, old.name, old.keywords, old.description, old.reasoning, old.parts);
END;
CREATE TRIGGER entries_updated AFTER UPDATE ON entries
WHEN (old.name, old.keywords, old.description, old.reasoning, old.parts) IS NOT (new.name, new.keywords, new.description, new.reasoning, new.parts) BEGIN
	INSERT INTO entries_fts (entries_fts, rowid, name, keywords, description, reasoning, parts)
	VALUES ('delete', old.seq, old.name, old.keywords, old.description, old.reasoning, old.parts);
	INSERT INTO entries_fts (rowid, name, keywords, description, reasoning, parts)
	VALUES (new.seq, new.name, new.keywords, new.description, new.reasoning, new.parts);
END;

CREATE VIRTUAL TABLE turns_fts USING fts5 (
	text, nearby,
	content = 'turns', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
CREATE VIRTUAL TABLE turns_words USING fts5vocab ('turns_fts', 'row');
CREATE TRIGGER turns_inserted AFTER INSERT ON turns BEGIN
	INSERT INTO turns_fts (rowid, text, nearby) VALUES (new.seq, new.text, new.nearby);
END;
CREATE TRIGGER turns_deleted AFTER DELETE ON turns BEGIN
	INSERT INTO turns_fts (turns_fts, rowid, text, nearby) VALUES ('delete', old.seq, old.text, old.nearby);
END;
CREATE TRIGGER turns_updated AFTER UPDATE ON turns WHEN (old.text, old.nearby) IS NOT (new.text, new.nearby) BEGIN
	INSERT INTO turns_fts (turns_fts, rowid, text, nearby) VALUES ('delete', old.seq, old.text, old.nearby);
	INSERT INTO turns_fts (rowid, text, nearby) VALUES (new.seq, new.text, new.nearby);
END;
