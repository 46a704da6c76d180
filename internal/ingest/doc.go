// Package ingest keeps what is said in agent sessions: events of an agent put jobs into a
// spool ([AddJob]), and a worker ([Work]) reads on in the transcripts that they name, takes
// out secrets, and stores the turns that package capture keeps.
//
// Whichever events come, how often and in whichever order, each turn is stored once: how
// far a transcript was read is stored together with its turns. The last answer of an agent,
// which its transcript may not have yet, comes with the event.
//
// An event that is lost loses nothing but time: when a session begins, the worker reads on in
// the other transcripts of the project ([NewLook]), except in what was said before capture was
// on.
package ingest
