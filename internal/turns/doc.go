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
// Each rule is a file:
//
//	prompt.go       what the user typed, and slash commands with arguments
//	interrupt.go    the user stops the agent, or refuses a tool and says why
//	question.go     the user's answers to questions of the agent
//	answer.go       the agent's answers, joined from the parts of a message
//	failure.go      a tool failed, with its input
//	fix.go          a failure, the changes after it, and the success (see package shell)
//	command.go      a command that had output
//	change_name.go  the name of the change that a session works on
//	rank.go         the rank of a turn
//	fold.go         turns with the same content
//
// A Filter is a fold: its state is small, goes into JSON and back, and feeding it a transcript
// in pieces, with the state saved in between, gives the same turns as feeding it whole. A turn
// that grows (an answer whose message continues) is returned again under its UUID with its whole
// text, and replaces the stored one.
//
// Redact records before adding them, see transcript.Record.Map: turns and the state contain
// parts of them.
package turns
