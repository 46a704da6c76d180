// Package turns captures what matters of an agent session. Events put jobs into a spool
// ([AddJob]); a worker ([Work]) reads the transcripts that they name, redacts secrets, and stores
// the turns that a [Filter] makes of them: prompts, answers, failures and their fixes.
//
// Each turn is stored once, whatever the number and the order of events: how far a transcript
// was read is stored together with its turns. A lost event only delays capture: when a session
// begins, the worker catches up on the other transcripts of the project ([NewCatchUp]), except
// on turns from before capture was on.
//
//	var f turns.Filter
//	for each record { turns = append(turns, f.Add(record)...) }
//
// Each rule is a file, turn_*.go.
//
// A Filter is a fold: its state is small, goes into JSON and back, and feeding it a transcript
// in pieces, with the state saved in between, gives the same turns as feeding it whole. A turn
// that grows (an answer whose message continues) is returned again under its UUID with its whole
// text, and replaces the stored one.
//
// Redact records before adding them, see transcript.Record.Map: turns and the state contain
// parts of them.
package turns
