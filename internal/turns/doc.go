// Package turns captures what matters of an agent session. Events put jobs into a spool
// ([AddJob]); a worker ([Work]) reads on in the transcripts that they name, redacts secrets,
// and stores what a [Filter] keeps of them: what the user said, what the agent answered,
// which commands failed, and what made them pass.
//
// Each turn is stored once, whichever events come, however often and in whichever order: how
// far a transcript was read is stored together with its turns. A lost event costs time only:
// when a session begins, the worker catches up on the other transcripts of the project
// ([NewLook]), except on what was said before capture was on.
//
//	var f turns.Filter
//	for each record { turns = append(turns, f.Add(record)...) }
//
// Each rule is a file:
//
//	prompt.go     what the user has typed, and slash commands with arguments
//	interrupt.go  the user stops the agent, or refuses a tool and says why
//	question.go   what the user has chosen when the agent had asked
//	answer.go     what the agent says, joined from the parts of a message
//	failure.go    what a tool has failed with, beside what it was told to do
//	fix.go        a failure, what was changed after it, and the success (internal/shell)
//	bash.go       a command that had output
//	change.go     the name of the change that a session works on
//	rank.go       which turns are worth more
//	fold.go       which turns say the same
//
// A Filter is a fold: its state is small, goes into JSON and back, and feeding it a
// transcript in any pieces, with the state saved between, gives the turns of feeding it at
// once. A turn that grows (an answer whose message goes on) comes again under its UUID
// with its whole text; who stores it replaces it.
//
// Records are to be redacted before they are added, see transcript.Record.Map: what stands
// in a turn or in the state stood in a record.
package turns
