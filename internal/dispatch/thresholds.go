package dispatch

// Limits bound what is recalled.
type Limits struct {
	Items    int     // of each kind
	Decision float64 // probability that a decision needs
	Learning float64 // probability that a learning needs
	Session  float64 // probability that a past session needs; 0: none is recalled
}

// In make eval, over two memories whose gates are fitted on the other one, decisions at 0.05 or more
// reach 84 and 87 % of the prompts, failures, commands and files that have one, with 2.4 and 2.0 lines,
// and 0.8 and 0.7 lines where none applies. A missed decision costs more than a line. Commands and files
// are many and rarely need one, so they need more: at 0.15, unrelated work is shown 0.3 and 0.1 lines a
// call. The probabilities for learnings and sessions are from package store.
var (
	PromptLimits = Limits{Items: maxPointers, Decision: 0.05, Learning: 0.3, Session: 0.5}
	ActionLimits = Limits{Items: maxPointers, Decision: 0.15, Learning: 0.5}
)
