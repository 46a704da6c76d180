// Package store stores learnings and captured turns in one SQLite file.
//
// The file is memory.db in the folder of package home. The first write creates it, and only its owner can
// read it. For other tools that read the file, schema.sql describes its tables.
//
// # Processes
//
// Any number of processes may read and write at the same time. A write waits for other writers, up to
// [BusyTimeout]. Each write is one transaction, so a killed process leaves all of it or nothing. The
// first process creates the schema, also in one transaction.
//
// Opening a file that is not a database, belongs to another program or was written by a version with
// another schema is an error; the file is left unchanged.
//
// # Captured turns
//
// The transcripts table is a queue: an event registers the transcript of its session. A worker continues
// from the stored state, and stores turns and the new state in one transaction. Forked and resumed
// sessions repeat turns, so a turn is identified by its UUID alone, and a turn that was pruned, or said
// while capture was off, never comes back.
//
// # Search
//
// Search is by words and needs neither network nor model. A hit is judged by its evidence: the share of
// the question's words that it contains, weighted by rarity. If no hit has enough, a search returns
// nothing, or for a typed query the nearest hits.
package store
