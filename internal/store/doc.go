// Package store stores learnings and captured turns in one SQLite file.
//
// The file is memory.db in $WHENCE_HOME, else $XDG_DATA_HOME/whence, else ~/.local/share/whence
// (on Windows %LocalAppData%\whence). Folder and file are made on the first write, readable by
// their owner alone.
//
// Tables, for reading the file with other tools:
//
//	entries       learnings; id is learning.ID of the description
//	observations  when and in which session a learning was made
//	sessions      silent captures of each agent session, and the change it works on
//	rejections    insights that the user turned down in a session
//	turns         captured pieces of conversation
//	captured      the UUID of every turn that came, and the row of turns in which it is counted
//	transcripts   how far each transcript has been read
//	entries_fts, turns_fts  the stems of both
//
// # Processes
//
// Any number of processes may read and write at the same time. A write waits for the others, up to
// [BusyTimeout]. Each is one transaction, so that a killed process leaves all of it or nothing. The
// first process makes the schema, in one transaction as well.
//
// A file that is not a database, belongs to another program or was written by a newer version is an
// error, and stays as it is.
//
// # Captured turns
//
// Agents repeat themselves: the transcript of a forked or resumed session has the records of the
// first one, and every event brings the same again. So a turn is identified by its UUID alone, for
// good: one that was merged, dropped or pruned does not come back. See [Store.AddCaptured] and
// [Store.Prune].
//
// # Search
//
// Search is by words and needs neither network nor model. Both engines index and search the stems
// that package text makes, as quoted tokens joined by OR: the text of a user is never an expression.
// Of a long question only the rarest words count. A hit is judged by evidence: the share of the
// question, by rarity, that a learning has. If all have too little, the search finds nothing.
package store
