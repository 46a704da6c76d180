-- The words of a row are cut and reduced by the program, as for all engines; the full-text index
-- keeps them as they are.
DROP TRIGGER entries_inserted;
DROP TRIGGER entries_deleted;
DROP TRIGGER entries_updated;
DROP TRIGGER turns_deleted;
DROP TRIGGER turns_indexed;
DROP TRIGGER turns_updated;
DROP TABLE entries_words;
DROP TABLE turns_words;
DROP TABLE entries_fts;
DROP TABLE turns_fts;

CREATE VIRTUAL TABLE entries_fts USING fts5 (name, keywords, description, reasoning, parts, tokenize = 'ascii');
INSERT INTO entries_fts (entries_fts, rank) VALUES ('secure-delete', 1); -- what is forgotten is gone
CREATE VIRTUAL TABLE entries_words USING fts5vocab ('entries_fts', 'row');
-- Without secure-delete, which makes it 25 times as slow to add one turn beside others: the
-- index is rewritten where turns are forgotten.
CREATE VIRTUAL TABLE turns_fts USING fts5 (text, nearby, change, tokenize = 'ascii');
CREATE VIRTUAL TABLE turns_words USING fts5vocab ('turns_fts', 'row');

-- Rows whose words have changed and are not in the index yet: those of a transaction that is
-- not at its end, and those that a program of an older version writes in a file that it has open.
CREATE TABLE unindexed (
	kind TEXT NOT NULL, -- the table
	seq  INTEGER NOT NULL,
	PRIMARY KEY (kind, seq)
) WITHOUT ROWID;
INSERT INTO unindexed SELECT 'entries', seq FROM entries UNION ALL SELECT 'turns', seq FROM turns;

CREATE TRIGGER entries_inserted AFTER INSERT ON entries BEGIN
	INSERT OR IGNORE INTO unindexed VALUES ('entries', new.seq);
END;
CREATE TRIGGER entries_updated AFTER UPDATE OF name, keywords, description, reasoning ON entries
WHEN (old.name, old.keywords, old.description, old.reasoning) IS NOT (new.name, new.keywords, new.description, new.reasoning) BEGIN
	INSERT OR IGNORE INTO unindexed VALUES ('entries', new.seq);
END;
CREATE TRIGGER entries_deleted AFTER DELETE ON entries BEGIN
	DELETE FROM entries_fts WHERE rowid = old.seq;
	DELETE FROM unindexed WHERE kind = 'entries' AND seq = old.seq;
END;
CREATE TRIGGER turns_inserted AFTER INSERT ON turns BEGIN
	INSERT OR IGNORE INTO unindexed VALUES ('turns', new.seq);
END;
CREATE TRIGGER turns_updated AFTER UPDATE OF text, nearby, change ON turns
WHEN (old.text, old.nearby, old.change) IS NOT (new.text, new.nearby, new.change) BEGIN
	INSERT OR IGNORE INTO unindexed VALUES ('turns', new.seq);
END;
CREATE TRIGGER turns_moved AFTER UPDATE OF seq ON turns WHEN old.seq <> new.seq BEGIN
	DELETE FROM turns_fts WHERE rowid = old.seq;
	DELETE FROM unindexed WHERE kind = 'turns' AND seq = old.seq;
	INSERT OR IGNORE INTO unindexed VALUES ('turns', new.seq);
END;
CREATE TRIGGER turns_deleted AFTER DELETE ON turns BEGIN
	DELETE FROM turns_fts WHERE rowid = old.seq;
	DELETE FROM unindexed WHERE kind = 'turns' AND seq = old.seq;
END;
