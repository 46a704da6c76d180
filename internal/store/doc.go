// Package store keeps learnings and captured turns in one SQLite file.
//
// The file is memory.db in a folder of its own: $WHENCE_HOME, else
// $XDG_DATA_HOME/whence, else ~/.local/share/whence (on Windows
// %LocalAppData%\whence). Both are made on the first write, readable by their owner
// alone.
//
// Tables, for reading the file with other tools:
//
//	entries       a learning a row; id is learning.ID of its description
//	observations  a row for each time a learning was made, with its session
//	feedback      verdicts on learnings: helped, wrong, outdated
//	links         pairs of learnings that contradict each other
//	sessions      silent captures of each agent session, and the change it works on
//	rejections    insights that the user turned down in a session
//	turns         captured pieces of conversation
//	captured      the UUID of every turn that came, and in which row of turns it is counted
//	transcripts   how far each transcript has been read
//	entries_fts, turns_fts  the stems of both, in their order
//	unindexed     rows whose stems are still to be stored
//
// # Processes
//
// Any number of processes may read and write at the same time. A write waits for the
// others, up to [BusyTimeout]; each is one transaction, so that a killed process leaves
// all of it or nothing. The schema is made and migrated in one transaction as well, by
// the first process.
//
// A file that is not a database, belongs to another program or was written by a newer version
// is an error, and stays as it is.
//
// # Captured turns
//
// Agents repeat themselves: a forked or resumed session has the records of the first one
// in its own transcript, and every event brings the same again. So a turn is known by its
// UUID alone, for good; one that was merged, dropped or pruned does not come back. See
// [Store.AddCaptured] and [Store.Prune].
//
// # Search
//
// Search is by words and needs neither network nor model. Both engines index and search the
// stems that package text makes, as quoted tokens joined by OR: text of a user is never an
// expression. Of a long question only the rarest words count ([maxWords]). A hit is judged by
// evidence: the share of the question, by rarity, that a learning holds. If all have too little,
// the search finds nothing.
//
// A file of schema 2, in which SQLite cut the words, is converted by the first program that opens
// it for writing; one that only reads searches it as it is. A program of that version that has the
// file open may go on writing: triggers note its rows in unindexed, and they are indexed when the
// file is opened for writing again.
package store
