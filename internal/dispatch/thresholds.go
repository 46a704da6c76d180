package dispatch

// Limits bound what is recalled.
type Limits struct {
	Items    int     // of each kind
	Decision float64 // minimum probability of a decision
	Learning float64 // minimum probability of a learning
	Session  float64 // minimum probability of a past session; 0: none is recalled
	Commit   float64 // minimum probability of a commit; 0: none is recalled
}

// A missed decision costs more than a needless line, so the thresholds use up a budget of lines where no decision
// applies: 1.2 lines at a prompt or failure, and 0.3 at a command or file, which are many and rarely need a decision.
//
// make eval measures them on two memories, each with the gates fitted on the other one, with situations and without,
// whole and in parts of 30 to 40. Decisions at 0.05 take 1.15 lines (0.047: 1.24), and reach 79 % of the prompts and
// failures that have one. At 0.13, commands and files of unrelated work take 0.27 lines (0.12: 0.31), and 80 % of
// those that have a decision are reached. Sessions at 0.35 take 0.09 lines at 90 everyday prompts of two projects (0.3:
// 0.16), and commits at 0.08 as many at 180 prompts of three.
//
// A change shows half a line where its message names no decision, see rank.RecallChange.
var (
	PromptLimits = Limits{Items: maxPointers, Decision: 0.05, Learning: 0.3, Session: 0.35, Commit: 0.08}
	ActionLimits = Limits{Items: maxPointers, Decision: 0.13, Learning: 0.5}
	ChangeLimits = Limits{Items: 3, Decision: 0.2}
)
