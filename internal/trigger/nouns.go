package trigger

import (
	"strings"
	"sync"
)

// weakHeads end a title without being its subject: "Mock patching pattern" is about mock patching.
var weakHeads = set(`
	pattern patterns strategy strategies approach approaches algorithm algorithms rationale principle
	principles process method methods technique techniques mechanism mechanisms concept concepts
	overview summary insight insights lesson lessons note notes consideration considerations guideline
	guidelines guidance practice practices amount assumption assumptions limitation limitations
	solution solutions problem problems semantics behavior behaviour methodology characteristics
	basics details example examples philosophy model models architecture system logic
	hybrid efficiency effect effects effectiveness opportunity opportunities applicability difference
	differences landscape unavailable impractical immutable relaxed active mandatory required forbidden
	stay stays matter matters first last only`)

// actions maps nouns that name an activity to the gerund. Those in -ation, -ization, -ification
// and -ing are recognized by their ending.
var actions = map[string]string{
	"addition": "adding", "adjustment": "adjusting", "alignment": "aligning", "analysis": "analyzing", "approval": "approving",
	"assessment": "assessing", "assignment": "assigning", "calibration": "calibrating", "check": "checking", "checks": "checking",
	"cleanup": "cleaning up", "collection": "collecting", "completion": "completing", "composition": "composing",
	"compression": "compressing", "configuration": "configuring", "conversion": "converting", "correction": "correcting",
	"decomposition": "decomposing", "definition": "defining", "definitions": "defining", "deletion": "deleting",
	"delivery": "delivering", "deployment": "deploying", "detection": "detecting", "diagnosis": "diagnosing",
	"discovery": "discovering", "dispatch": "dispatching", "distribution": "distributing", "documentation": "documenting",
	"encoding": "encoding", "enforcement": "enforcing", "execution": "executing", "expansion": "expanding",
	"exploration": "exploring", "export": "exporting", "extraction": "extracting", "format": "formatting", "formats": "formatting",
	"handoff": "handing off", "implementation": "implementing", "improvement": "improving",
	"import": "importing", "imports": "importing", "indentation": "indenting", "injection": "injecting",
	"insertion": "inserting", "inspection": "inspecting", "installation": "installing", "interpretation": "interpreting",
	"lookup": "looking up", "maintenance": "maintaining", "management": "managing", "measurement": "measuring",
	"merge": "merging", "merges": "merging", "normalization": "normalizing", "observation": "observing",
	"order": "ordering", "persistence": "persisting", "placement": "placing", "preparation": "preparing",
	"presentation": "presenting", "preservation": "preserving", "prevention": "preventing", "production": "producing",
	"promotion": "promoting", "propagation": "propagating", "protection": "protecting", "reconciliation": "reconciling",
	"recovery": "recovering", "reduction": "reducing", "refinement": "refining", "rejection": "rejecting",
	"removal": "removing", "replacement": "replacing", "representation": "representing", "resolution": "resolving",
	"restart": "restarting", "retry": "retrying", "retries": "retrying", "retrieval": "retrieving", "review": "reviewing", "reviews": "reviewing", "rollback": "rolling back",
	"selection": "choosing", "setup": "setting up", "split": "splitting", "squash": "squashing", "storage": "storing",
	"substitution": "substituting", "supervision": "supervising", "support": "supporting", "sync": "syncing", "transformation": "transforming",
	"transmission": "transmitting", "triage": "triaging", "upgrade": "upgrading", "usage": "using", "verification": "verifying",
}

// things are nouns in -ation that name no action.
var things = set(`
	annotation application combination condition convention duration equation expectation foundation
	indication information invitation limitation location motivation notation obligation operation
	organization relation reservation situation specification station variation`)

// uses maps nouns to the gerund of what is usually done with them.
var uses = sync.OnceValue(func() map[string]string {
	verbs := map[string]string{}
	for verb, nouns := range map[string]string{
		"writing": `file files template templates script scripts description descriptions prompt prompts docs message
			messages comment comments entry entries header headers heading headings title titles section sections test tests fixture
			fixtures output report reports runbook runbooks outline outlines document documents query queries marker markers table tables`,
		"using": `hook hooks tool tools agent agents subagents skill skills command commands flag flags api apis sdk library symlink symlinks
			heredoc reference references worktree worktrees submodule submodules client clients alias aliases key keys regex`,
		"hitting": `error errors failure failures gap gaps conflict conflicts mismatch mismatches contradiction bug bugs race timeout
			deadlock overload issue issues loss drift bottleneck misalignment violation violations warning warnings collision collisions
			cycle cycles limit`,
		"choosing":  `name names option options tier tiers level levels default defaults direction backend database engine`,
		"setting":   `limits policy policies threshold thresholds budget budgets deadline deadlines`,
		"defining":  `metric metrics criteria criterion requirement requirements scope interface contract schema type types goal goals enum enums`,
		"placing":   `gate gates rule rules constraint constraints helper helpers`,
		"reducing":  `overhead cost costs token tokens latency duplication noise size`,
		"handling":  `data input inputs case cases field fields value values state event events session sessions exception exceptions`,
		"adding":    `checkpoint checkpoints step steps phase phases cache feature features dependency dependencies column columns endpoint endpoints annotation annotations`,
		"following": `workflow workflows loop loops convention conventions`,
	} {
		for _, noun := range strings.Fields(nouns) {
			verbs[noun] = verb
		}
	}
	return verbs
})

// action returns the gerund of a noun that names an activity, or "".
func action(noun string) string {
	if verb, known := actions[noun]; known {
		return verb
	}
	if things()[noun] || len(noun) < 6 {
		return ""
	}
	for _, ending := range []struct{ noun, verb string }{
		{"ification", "ifying"}, {"entation", "enting"}, {"ultation", "ulting"}, {"aptation", "apting"},
		{"retation", "reting"}, {"ization", "izing"}, {"isation", "ising"}, {"ation", "ating"},
	} {
		if stem, found := strings.CutSuffix(noun, ending.noun); found && len(stem) >= 2 {
			return stem + ending.verb
		}
	}
	if isGerund(noun) {
		return noun
	}
	return ""
}

// isGerund reports whether a word is the -ing form of a verb.
func isGerund(word string) bool {
	return strings.HasSuffix(word, "ing") && len(word) > 5 && !notGerunds()[word]
}

// notGerunds are words in -ing that are not verbs.
var notGerunds = set(`
	anything beijing building ceiling during everything evening heading headings morning nothing
	something spring string thing warning wording meaning opening`)
