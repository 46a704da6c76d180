// Package capture stores what matters of agent sessions. The transcripts that agents write are the
// queue: an event registers the transcript of its session ([Register]), starts a worker ([Start]), and
// is done. The worker ([Work]) reads on in all registered transcripts, removes secrets, and stores the
// turns that a [Filter] makes of them: prompts, answers, failures and their fixes.
//
// Each turn is stored once, whatever is killed: how far a transcript was read is stored in one
// transaction with its turns, and a turn is known by the UUID of its record, which forked and resumed
// sessions keep. What a killed worker or a full disk has left is read after the next event.
//
// Nothing is captured without the user's consent, a row of the store. What was said while capture was off is never
// stored, nor is its copy in a fork: each event records in the [Watch] of its transcript whether capture was on in its
// folder, and how long the transcript was.
//
// # Filter
//
// The rules are in turn_words.go and turn_tool.go. A Filter is a fold: its state is small, goes into JSON and back, and
// feeding it a transcript in pieces, with the state saved in between, gives the same turns as feeding it
// whole. Turns and state contain parts of the records, so these are redacted first.
// When turns are deleted or the session ends, what was said is removed from the state, too ([WithoutText]).
//
// # Transcripts
//
//	OpenTranscript  opens one by its name: a path, for OpenCode's database with the session
//	TranscriptsIn   finds those in a folder
package capture
