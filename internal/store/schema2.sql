-- What is for one person alone where others use the same store, or a copy of this one.
ALTER TABLE entries ADD COLUMN personal INTEGER NOT NULL DEFAULT 0;
ALTER TABLE turns ADD COLUMN personal INTEGER NOT NULL DEFAULT 1;

-- The order of changes, so that who has a copy asks for later ones alone.
ALTER TABLE entries ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
UPDATE entries SET revision = seq;
CREATE INDEX entries_revision ON entries (revision);
CREATE TABLE forgotten (
	revision INTEGER PRIMARY KEY,
	id       TEXT NOT NULL,
	personal INTEGER NOT NULL,
	at       TEXT NOT NULL
);

-- What was sent from elsewhere, so that nothing counts twice.
CREATE TABLE delivered (key TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID;

DROP INDEX entries_name;
CREATE INDEX entries_name ON entries (lower(name));

DROP INDEX turns_told;
CREATE INDEX turns_told ON turns (session) WHERE substr(uuid, 1, 5) = 'told:'; -- by an event, before the transcript had it
