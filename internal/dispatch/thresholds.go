package dispatch

// Limits bound what is recalled.
type Limits struct {
	Items    int     // of each kind
	Decision float64 // probability that a decision needs
	Learning float64 // probability that a learning needs
	Session  float64 // probability that a past session needs; 0: none is recalled
	Commit   float64 // probability that a commit needs; 0: none is recalled
}

// A missed decision costs more than a line, so the budget of lines where none applies is spent: 1.2 at a prompt
// or failure, 0.3 at a command or file, which are many and rarely need one. In make eval, over two memories whose
// gates are fitted on the other one, each with situations and without, whole and in parts of 30 to 40, decisions at
// 0.05 take 1.15 lines (0.047: 1.24) and reach 79 % of the prompts and failures that have one; at 0.13, commands and
// files of unrelated work take 0.27 (0.12: 0.31) and 80 % of those that have one are reached. Sessions at 0.35 take
// 0.09 lines at 90 everyday prompts of two projects (0.3: 0.16), commits at 0.08 as many at 180 of three.
//
// A change shows half a line where its message names no decision, see rank.RecallChange.
var (
	PromptLimits = Limits{Items: maxPointers, Decision: 0.05, Learning: 0.3, Session: 0.35, Commit: 0.08}
	ActionLimits = Limits{Items: maxPointers, Decision: 0.13, Learning: 0.5}
	ChangeLimits = Limits{Items: 3, Decision: 0.2}
)
