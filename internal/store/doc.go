// Package store stores learnings and captured turns in one SQLite file.
//
// The file is memory.db in the folder of package home. It is made on the first write, readable by its
// owner alone. The tables are described in schema.sql, for reading the file with other tools.
//
// # Processes
//
// Any number of processes may read and write at the same time. A write waits for the others, up to
// [BusyTimeout]. Each is one transaction, so that a killed process leaves all of it or nothing. The
// first process makes the schema, in one transaction as well.
//
// A file that is not a database, belongs to another program or was written by a version with another
// schema is an error, and stays as it is.
//
// # Captured turns
//
// The transcripts table is a queue: an event registers the transcript of its session, a worker reads
// on from the stored state, and stores turns and new state in one transaction. Agents repeat
// themselves, as when a session is forked or resumed, so a turn is identified by its UUID alone, for
// good: one that was pruned, or said while capture was off, does not come back.
//
// # Search
//
// Search is by words and needs neither network nor model. A hit is judged by evidence: the share of
// the question, by rarity of words, that it has. If all have too little, the search finds nothing,
// or for a typed query the nearest.
package store
