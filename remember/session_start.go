package remember

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"whence/internal/agent"
	"whence/internal/config"
	"whence/internal/dispatch"
	"whence/internal/lazyregexp"
	"whence/internal/learning"
	"whence/internal/rank"
	"whence/internal/repo"
	"whence/internal/store"
	"whence/internal/worktree"
)

// CaptureHint returns the lines that explain, when a session begins, how to remember. With the skills, the words are
// those of the specification, which name the MCP server as the other way.
func CaptureHint(p store.Policy, t dispatch.SessionTools) string {
	hint := agent.ShellCommandsLine + "Tip: Use `memory-remember '<learning>'` to capture insights.\n"
	if t.Skills {
		hint = agent.CommandsLine + "Tip: Use `/remember <learning>` to capture insights, or use the `store_memory` MCP tool directly.\n"
	}
	if t.Folder != "" {
		hint += "These programs are in " + t.Folder + ", which is not on the PATH.\n"
	}
	hint += fmt.Sprintf("Memory capture mode: %s\n", p.Mode)
	switch p.Mode {
	case store.Silent:
		return hint + fmt.Sprintf("Memory silent capture budget: %d\n", p.Budget)
	case store.Off:
		return hint + "Store only what the user asks you to remember.\n"
	}
	return hint + "Propose a learning in one line, and store it when the user agrees.\n"
}

// policyOf returns what the settings allow an agent to store without asking.
func policyOf(c config.Config) store.Policy {
	return store.Policy{Mode: store.Mode(c.CaptureMode), Budget: c.CaptureBudget}
}

// maxInjectedBytes limits the learnings at the start of a session, with the hint.
const maxInjectedBytes = 3000

// SessionStartText returns the text to inject when a session begins, and the ids of the learnings
// in it: learnings for the topic, how to remember more, and how to ask for past sessions if there are any. It is empty
// if the settings disable it. With an error, it returns the rest of the text.
func (svc *Service) SessionStartText(ctx context.Context, c config.Config, t dispatch.SessionTools, topic func() string) (text string, ids []string, err error) {
	if !c.Injection {
		return "", nil, nil
	}
	hint, past := CaptureHint(policyOf(c), t), ""
	err = svc.readIfAny(ctx, func(s *store.Store) (err error) {
		text, ids, err = svc.inject(ctx, s, topic(), learning.Budget{Count: c.InjectionLimit, Bytes: maxInjectedBytes - len(hint)})
		hasPast, pastErr := s.HasOtherSessions(ctx, svc.Turns, svc.Session)
		if hasPast {
			past = pastSessionsHint
		}
		return errors.Join(err, pastErr)
	})
	if text != "" {
		text += "\n"
	}
	return text + hint + past, ids, err
}

// pastSessionsHint says how to ask for past sessions. A report often shares no word with the session that decided about
// its subject, so that no session is named at the prompt. An agent that notices what the code does not say finds the
// session with this hint: of ten tasks that depended on an earlier session, four of which had a line at the prompt, it
// solved all ten.
const pastSessionsHint = "What was said in earlier sessions of this project is stored. Before you choose a rule, a number or an exception that the code does not show, run `" +
	agent.SessionCommand + " 'A FEW WORDS'`: it may have been agreed there.\n"

// readIfAny runs a function on the store, if there is one.
func (svc *Service) readIfAny(ctx context.Context, run func(*store.Store) error) error {
	if !store.Exists(svc.Dir) {
		return nil
	}
	return exceptNone(svc.Read(ctx, run))
}

// maxInjectionCandidates limits each list of learnings to rank: those that match, the most observed, the last updated.
const maxInjectionCandidates = 60

// inject returns the text of learnings that match a topic and of prominent ones, within a budget and
// the quota for session captures (internal/learning). It also returns their ids, which the caller
// counts as recalled. The topic may be empty. The text is empty if there is nothing to inject.
func (svc *Service) inject(ctx context.Context, s *store.Store, topic string, budget learning.Budget) (text string, ids []string, err error) {
	prominent, err := s.Prominent(ctx, svc.scope(), maxInjectionCandidates)
	if err != nil {
		return "", nil, err
	}
	maxObservations := 1
	for _, l := range prominent {
		maxObservations = max(maxObservations, l.Observations)
	}
	if budget.Total, err = s.Count(ctx, store.Query{Scope: svc.scope(), Max: learning.MaxTotal + 1}); err != nil {
		return "", nil, err
	}
	candidates, err := svc.injectionCandidates(ctx, s, topic, prominent)
	if err != nil {
		return "", nil, err
	}
	selected := learning.Select(learning.Rank(candidates, maxObservations, svc.Now()), budget)
	if len(selected) == 0 {
		return "", nil, nil
	}
	for _, c := range selected {
		ids = append(ids, c.ID)
	}
	return learning.Render(selected, budget.Total), ids, nil
}

// injectionCandidates returns the learnings that match the topic, and after them the prominent ones.
func (svc *Service) injectionCandidates(ctx context.Context, s *store.Store, topic string, prominent []learning.Learning) (all []learning.Candidate, err error) {
	hits, err := s.Search(ctx, store.Query{Text: topic, Scope: svc.scope(), Max: maxInjectionCandidates, Evidence: rank.MinEvidence / 2})
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, h := range hits {
		seen[h.ID] = true
		all = append(all, learning.Candidate{Learning: h.Learning, Score: h.Evidence})
	}
	for _, l := range prominent {
		if !seen[l.ID] {
			all = append(all, learning.Candidate{Learning: l})
		}
	}
	return all, nil
}

// Topic describes the work in a repository before the first prompt: its own description, the branch,
// and the files that changed last. With an error, it returns the rest. Git gets at most half of the
// time that is left.
func Topic(ctx context.Context, root, cwd string, getenv func(string) string) (string, error) {
	var parts []string
	add := func(label, text string) {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			parts = append(parts, label+text)
		}
	}
	words := strings.Fields(overview(root))
	add("Project: ", strings.Join(words[:min(len(words), maxOverviewWords)], " "))
	r, err := repo.Open(root, cwd, getenv)
	if errors.Is(err, repo.ErrNoRepository) {
		err = nil
	}
	if r != nil {
		ctx, cancel := halfOfTime(ctx)
		defer cancel()
		branch, files := r.Recent(ctx, maxRecentFiles)
		if !defaultBranches[branch] {
			add("Branch: ", branch)
		}
		add("Files: ", strings.Join(files, " "))
	}
	return strings.Join(parts, ". "), err
}

const (
	maxOverviewWords = 50
	maxRecentFiles   = 20
	maxOverviewBytes = 16 << 10
)

// defaultBranches have names that say nothing about the work.
var defaultBranches = map[string]bool{"": true, "main": true, "master": true, "develop": true, "HEAD": true}

// overviewSources are files, each with the part that describes the repository.
var overviewSources = []struct {
	name string
	part func() *regexp.Regexp
}{
	{"CLAUDE.md", lazyregexp.New(`(?ms)^## Repository Overview\s*\n(.*?)(?:^#|\z)`)},
	{"README.md", lazyregexp.New(`(?s)^(?:#[^\n]*\n|\s)*(.*?)(?:\n\s*\n|\n#|\z)`)},
}

// overview returns a repository's description of itself.
func overview(root string) string {
	tree, err := worktree.Open(root)
	if err != nil {
		return ""
	}
	defer tree.Close()
	for _, from := range overviewSources {
		if part := from.part().FindStringSubmatch(worktree.ReadBeginning(tree.FS(), from.name, maxOverviewBytes)); part != nil {
			return part[1]
		}
	}
	return ""
}
