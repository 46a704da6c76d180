package e2e

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

// team has clones of one remote whose users decide, merge and rebase at random. Each decision has a number, so a merge is
// judged by the sets of three trees: what both sides have stays, what one side added or removed is there or gone.
type team struct {
	*sandbox
	*rand.Rand
	made, done int // decisions, operations
	items      map[string]map[string]bool
	count      map[string]int
	committed  map[string]bool // decisions
	mayBeGone  map[string]bool // decisions that somebody removed, or that a conflict was resolved without
	said       []string        // what was typed and printed lately
}

var (
	clones   = []string{"whence1", "whence2", "precommit", "plain"} // named by what checks them
	branches = []string{"main", "topic", "stacked"}

	idPattern    = regexp.MustCompile(`\bd\d+\b`)
	itemPattern  = regexp.MustCompile(`(?m)\bd\d+\b|^/when .*$`)
	foundPattern = regexp.MustCompile(`(?m)^(\S+?):(\d+):\d+: (.*) \[([a-z-]+)\]$`)
	fixFlag      = regexp.MustCompile(`(--(?:unsafe-fixes|fix)) (?:fixes|\d+ more)`)
	unmergedLine = regexp.MustCompile(`(?m)^(DD|AU|UD|UA|DU|AA|UU) (.*)$`)
	emptyCommit  = regexp.MustCompile(`nothing (?:to commit|added)|is now empty|No changes`)
	marker       = regexp.MustCompile(`(?m)^(?:<{7,} .*|={7,}|>{7,} .*)\n`)
	hunk         = regexp.MustCompile(`(?ms)^<{7,} [^\n]*\n(.*?)^={7,}\n(.*?)^>{7,} [^\n]*\n`)
)

const indexPath = "/agents/memory-index.md"

// newTeam makes the remote, the clones, and "bare", which has all objects and no driver.
func newTeam(t *testing.T, bin string, seed uint64) *team {
	tm := &team{
		sandbox: newSandbox(t, bin), Rand: rand.New(rand.NewPCG(seed, 1)),
		items: map[string]map[string]bool{}, count: map[string]int{}, mayBeGone: map[string]bool{}, committed: map[string]bool{},
	}
	tm.env = append(tm.env, "GIT_EDITOR=true", "GIT_MERGE_AUTOEDIT=no", "GIT_COMMITTER_DATE=1700000000 +0000")
	tm.write("home/.gitconfig", "[core]\n\tfsync = none\n[gc]\n\tauto = 0\n[init]\n\tdefaultBranch = main\n[advice]\n\tdetachedHead = false\n[push]\n\tdefault = current\n[rerere]\n\tenabled = false\n")
	tm.run("", "git", "init", "-q", "--bare", "remote.git")
	tm.run("", "git", "init", "-q", "--bare", "bare")
	alternates := ""
	for _, c := range clones {
		tm.run("", "git", "clone", "-q", "remote.git", c)
		alternates += filepath.Join(tm.dir, c, ".git", "objects") + "\n"
		if c == clones[0] {
			text := "# Memory Index\n\nRun `/when <trigger>` to see a decision.\n"
			for _, name := range []string{"api", "ops", "web"} {
				text += "\n## agents/decisions/" + name + ".md\n\n"
				file := "# About " + name + "\n"
				for range 3 {
					entry, section := tm.newDecision()
					text, file = text+entry+"\n", file+"\n"+section
				}
				tm.write(c+"/agents/decisions/"+name+".md", file)
			}
			tm.write(c+indexPath, text)
			tm.run(c, "git", "add", "-A")
			tm.run(c, "memory-validate")
			tm.run(c, "git", "commit", "-qm", "start")
			tm.run(c, "git", "push", "-q")
		}
		switch c {
		case "precommit":
			tm.write(c+"/.git/hooks/pre-commit", "#!/bin/sh\nPRE_COMMIT=1 exec memory-validate --staged\n")
			require.NoError(t, os.Chmod(filepath.Join(tm.dir, c, ".git", "hooks", "pre-commit"), 0o755))
		case "whence1", "whence2":
			tm.run(c, "memory-validate", "install-git-hook", "--merge-driver")
		}
	}
	tm.write("bare/objects/info/alternates", alternates)
	return tm
}

var teamTopics = strings.Fields("queue cache ledger mailer parser router shipper tracker uploader vault worker scheduler indexer gateway printer")

// newDecision returns an entry and a section. Now and then its title is one that somebody else may choose, too.
func (tm *team) newDecision() (entry, section string) {
	tm.made++
	topic, n := oneOf(tm.Rand, teamTopics), tm.made
	title := fmt.Sprintf("Keep the %s beside depot %d", topic, n)
	if n > 9 && tm.IntN(15) == 0 {
		title = fmt.Sprintf("Keep the %s beside all depots", topic)
	}
	section = fmt.Sprintf("## %s\n\nIt was slow in spring, and answers by the hour. Number d%d.\n", title, n)
	return fmt.Sprintf("/when placing %s number %d | %s | slow answers, spring, depot, hours, case %d", topic, n, title, n), section
}

// git types a git command.
func (tm *team) git(c string, args ...string) (string, error) { return tm.typed(c, "git", args...) }

func (tm *team) typed(c, name string, args ...string) (string, error) {
	out, err := tm.try(c, name, args...)
	tm.said = append(tm.said, fmt.Sprintf("%s$ %s %s\n%s", c, name, strings.Join(args, " "), out))
	if len(tm.said) > 60 {
		tm.said = tm.said[1:]
	}
	return out, err
}

// ask returns what git prints, on one line or several.
func (tm *team) ask(c string, args ...string) string {
	out, _ := tm.try(c, "git", args...)
	return strings.TrimSpace(out)
}

func (tm *team) require(ok bool, what string, args ...any) {
	tm.t.Helper()
	if !ok {
		tm.t.Fatalf("after %d operations: %s\n%s", tm.done, fmt.Sprintf(what, args...), strings.Join(tm.said, ""))
	}
}

func itemsOf(text string) map[string]bool {
	all := map[string]bool{}
	for _, found := range itemPattern.FindAllString(text, -1) {
		all[found] = true
	}
	return all
}

// has returns the decisions and entries of a commit.
func (tm *team) has(c, rev string) map[string]bool {
	if tm.items[rev] == nil {
		tm.items[rev] = itemsOf(tm.ask(c, "grep", "-h", "-E", `\bd[0-9]+\b|^/when `, rev, "--", "agents"))
	}
	return tm.items[rev]
}

// often returns how many lines of a commit have a decision or entry.
func (tm *team) often(c, rev, item string) int {
	return len(strings.Fields(tm.ask(c, "grep", "-h", "-o", "-w", "-F", item, rev, "--", "agents")))
}

// here returns the text of the memory in the worktree, and the names of the decision files with a section.
func (tm *team) here(c string) (whole string, names []string) {
	files := memoryFiles(tm.t, filepath.Join(tm.dir, c, "agents"))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		whole += "# File " + name + "\n" + files[name]
		if strings.HasPrefix(name, "decisions/") && strings.Contains(files[name], "\n## ") {
			names = append(names, "agents/"+name)
		}
	}
	return whole, names
}

// edit changes a section of a file, and its entry if the user does all at once.
func (tm *team) edit(c string) (subject string) {
	_, names := tm.here(c)
	if len(names) == 0 {
		return ""
	}
	name := oneOf(tm.Rand, names)
	text, index := tm.read(c+"/"+name), tm.read(c+indexPath)
	sections := strings.SplitAfter(text, "\n## ")
	at := 1 + tm.IntN(len(sections)-1)
	section := "## " + strings.TrimSuffix(sections[at], "\n## ")
	title, _, _ := strings.Cut(section[3:], "\n")
	id := idPattern.FindString(section)
	line := regexp.MustCompile(`(?m)^/when .* \| ` + regexp.QuoteMeta(title) + ` \| .*$`).FindString(index)
	reindex := func(with string) {
		if line != "" {
			tm.write(c+indexPath, strings.Replace(index, line+"\n", with, 1))
		}
	}
	replace := func(with string) { tm.write(c+"/"+name, strings.Replace(text, section, with, 1)) }
	tm.count["edits"]++
	what := oneOf(tm.Rand, []string{"decide", "decide", "decide", "decide by hand", "decide by hand", "edit", "reword", "supersede", "remove", "remove", "rename", "move"})
	switch what {
	case "decide", "supersede":
		entry, section := tm.newDecision()
		fields := strings.Split(strings.TrimPrefix(entry, "/when "), " | ")
		args := []string{"decide", fields[1], "--text", strings.SplitN(section, "\n\n", 2)[1], "--trigger", fields[0], "--description", fields[2]}
		args = append(args, map[string][]string{"decide": {"--file", name}, "supersede": {"--supersedes", title}}[what]...)
		if _, err := tm.typed(c, "memory-remember", args...); err != nil {
			return "" // as it says: the title is taken, or named twice
		}
	case "decide by hand":
		entry, added := tm.newDecision()
		replace(section + "\n" + added)
		if tm.IntN(2) == 0 {
			reindex(line + "\n" + entry + "\n")
		}
	case "edit":
		replace(strings.TrimRight(section, "\n") + fmt.Sprintf("\nSince then it is case %d.\n\n", tm.done))
	case "reword":
		reindex(regexp.MustCompile(`(, case \d+)?$`).ReplaceAllString(line, fmt.Sprintf(", case %d\n", tm.done)))
	case "remove":
		replace("")
		if tm.IntN(2) == 0 {
			reindex("")
		}
	case "rename":
		replace(strings.Replace(section, title, regexp.MustCompile(`( for case \d+)?$`).ReplaceAllString(title, fmt.Sprintf(" for case %d", tm.done)), 1))
	case "move":
		_, _ = tm.git(c, "mv", name, fmt.Sprintf("agents/decisions/moved%d.md", tm.done))
	}
	if what == "remove" || what == "supersede" { // a conflict may have joined two decisions
		maps.Copy(tm.mayBeGone, itemsOf(section))
	}
	return fmt.Sprintf("%d: %s %s", tm.done, what, id)
}

// advise types what a message advises, what its last line says or else the commands of its findings. Advice removes no decision.
func (tm *team) advise(c, out string) {
	before, _ := tm.here(c)
	found, last, _ := strings.Cut(out, "commit stopped: ")
	typed := commands(last)
	if !slices.ContainsFunc(typed, func(command string) bool { return !strings.HasPrefix(command, "git ") }) {
		typed = append(commands(found), typed...)
	}
	if flag := fixFlag.FindStringSubmatch(out); flag != nil {
		typed = []string{"memory-validate " + flag[1]}
	}
	tm.count["rounds of advice"]++
	for _, command := range typed {
		if !strings.Contains(command, "rebase --continue") && !strings.Contains(command, "git commit") {
			_, _ = tm.typed(c, "sh", "-c", command)
		}
	}
	after, _ := tm.here(c)
	now := itemsOf(after)
	for id := range itemsOf(before) {
		tm.require(id[0] != 'd' || now[id], "advice removes %s in %s", id, c)
	}
	if before == after && !strings.Contains(last, "the worktree is right") {
		tm.person(c, out)
		_, _ = tm.git(c, "add", "-A")
	}
}

// person does what the findings ask for in words: to choose between two headings or entries, or other words.
func (tm *team) person(c, out string) {
	found := foundPattern.FindStringSubmatch(out)
	tm.require(found != nil, "no advice: %s", out)
	tm.count["by hand: "+found[4]]++
	var at int
	_, _ = fmt.Sscan(found[2], &at)
	lines := strings.SplitAfter(tm.read(c+"/"+found[1]), "\n")
	line := strings.TrimSuffix(lines[at-1], "\n")
	tm.made++
	switch found[4] {
	case "duplicate-heading": // if both are one decision, one of them goes; else one is renamed
		end := at
		for end < len(lines) && !strings.HasPrefix(lines[end], "## ") {
			end++
		}
		whole, _ := tm.here(c)
		isElsewhere := func(id string) bool { return len(regexp.MustCompile(`\b`+id+`\b`).FindAllString(whole, -1)) > 1 }
		ids := idPattern.FindAllString(strings.Join(lines[at-1:end], ""), -1)
		if !slices.ContainsFunc(ids, func(id string) bool { return !isElsewhere(id) }) {
			lines = slices.Delete(lines, at-1, end)
		} else {
			lines[at-1] = fmt.Sprintf("%s, again %d\n", line, tm.made)
		}
	case "duplicate-trigger":
		lines[at-1] = strings.Replace(line, " | ", fmt.Sprintf(" %d | ", tm.made), 1) + "\n"
	case "duplicate-header", "unknown-header":
		lines[at-1] = ""
	case "unknown-file": // the titles of its entries are twice elsewhere
		for at < len(lines) && !strings.HasPrefix(lines[at], "## ") {
			lines[at], at = "", at+1
		}
	case "word-count":
		lines[at-1] = regexp.MustCompile(`[^|]*$`).ReplaceAllString(line, fmt.Sprintf(" slow depot %d", tm.made)) + "\n"
	default:
		tm.require(false, "what is said is not enough: %s", out)
	}
	tm.write(c+"/"+found[1], strings.Join(lines, ""))
}

// commit commits, and does what is advised until git has committed.
func (tm *team) commit(c string, args ...string) {
	for round := 0; ; round++ {
		out, err := tm.git(c, args...)
		if err == nil || emptyCommit.MatchString(out) {
			return
		}
		tm.require(round < 40 && strings.Contains(out, "memory-validate"), "advice without end: %s", out)
		tm.advise(c, out)
	}
}

// settled has a clone follow what memory-validate says, and commits that.
func (tm *team) settled(c string) {
	for round := 0; ; round++ {
		out, err := tm.typed(c, "memory-validate")
		if err == nil {
			break
		}
		tm.require(round < 60, "advice without end: %s", out)
		tm.advise(c, out)
	}
	_, _ = tm.git(c, "add", "-A")
	tm.commit(c, "commit", "-qm", fmt.Sprintf("%d: settle", tm.done))
}

// threeWay is a merge that git makes: of one commit onto ours.
type threeWay struct {
	bases           []string
	theirs, subject string
}

// conflict is a merge that git has left to the user.
type conflict struct {
	open    map[string]bool // what was in it
	all     bool            // nothing is known about it
	advised bool
}

// merge runs a git command that merges, resolves its conflicts, and judges each merge.
func (tm *team) merge(c, what string, merges []threeWay, args ...string) {
	tm.count[what]++
	conflicts := map[string]*conflict{} // by subject
	ours := tm.ask(c, "rev-parse", "HEAD")
	out, err := tm.git(c, args...)
	for round := 0; err != nil; round++ {
		tm.require(round < 40, "no end: %s", out)
		subject := merges[0].subject
		if what == "rebase" {
			subject = tm.ask(c, "log", "-1", "--format=%s", "REBASE_HEAD", "--")
		}
		seen := conflicts[subject]
		if seen == nil {
			seen = &conflict{open: map[string]bool{}}
			conflicts[subject] = seen
		}
		if status := tm.ask(c, "status", "--porcelain", "-uno"); unmergedLine.MatchString(status) {
			tm.resolve(c, status, seen)
		} else if strings.Contains(out, "commit stopped") {
			seen.advised = true
			tm.advise(c, out)
		} else {
			tm.require(emptyCommit.MatchString(out) && what != "merge", "git %s: %s", args, out)
			if out, err = tm.git(c, what, "--skip"); what != "rebase" {
				break
			}
			continue
		}
		switch what {
		case "merge":
			out, err = tm.git(c, "commit", "-q", "--no-edit")
		case "squash":
			err = nil
		default:
			out, err = tm.git(c, what, "--continue")
		}
	}
	if rounds := tm.count["rounds of advice"]; what == "squash" {
		tm.commit(c, "commit", "-qm", merges[0].subject)
		if rounds != tm.count["rounds of advice"] {
			conflicts[merges[0].subject] = cmp.Or(conflicts[merges[0].subject], &conflict{})
			conflicts[merges[0].subject].advised = true
		}
	}
	made := []string{"HEAD^{commit}"}
	if what == "rebase" {
		ours = tm.ask(c, "rev-parse", args[len(args)-1])
		made = strings.Fields(tm.ask(c, "rev-list", "--reverse", ours+"..HEAD"))
	}
	subjects := map[string]int{}
	for _, m := range merges {
		subjects[m.subject]++
	}
	for _, m := range merges {
		if subjects[m.subject] > 1 { // copies of one commit: which one is which, or dropped, is git's choice
			conflicts[m.subject] = &conflict{all: true}
		}
		result := ""
		for _, rev := range made {
			hash, subject, _ := strings.Cut(tm.ask(c, "log", "-1", "--format=%H %s", rev), " ")
			if subject == m.subject {
				result, ours = hash, tm.ask(c, "rev-parse", hash+"^")
			} else if what != "rebase" {
				result = hash
			}
		}
		if result == "" || result == ours { // git drops it, or the user has taken none of it
			for x := range tm.has(c, m.theirs) {
				tm.mayBeGone[x] = tm.mayBeGone[x] || conflicts[m.subject] != nil
			}
			continue
		}
		tm.judge(c, m, ours, result, conflicts[m.subject])
	}
}

// resolve takes one side of each conflict, or both.
func (tm *team) resolve(c, status string, seen *conflict) {
	for _, m := range unmergedLine.FindAllStringSubmatch(status, -1) {
		name := strings.Trim(m[2], `"`)
		src, err := os.ReadFile(filepath.Join(tm.dir, c, name))
		if err != nil || !hunk.Match(src) {
			seen.all = true
			if err != nil || m[1] != "UU" && m[1] != "AA" && tm.IntN(2) == 0 {
				_, _ = tm.git(c, "rm", "-q", "-f", "--", name)
				continue
			}
		}
		taken := hunk.ReplaceAllStringFunc(string(src), func(text string) string {
			maps.Copy(seen.open, itemsOf(text))
			sides := hunk.FindStringSubmatch(text)
			return []string{sides[1], sides[2], sides[1] + sides[2]}[tm.IntN(3)]
		})
		tm.write(c+"/"+name, marker.ReplaceAllString(taken, "")) // a conflict in another one is taken as it is
		_, _ = tm.git(c, "add", "--", name)
	}
}

// judge compares a merge with the sets of its three sides, and with that of git alone.
func (tm *team) judge(c string, m threeWay, ours, result string, seen *conflict) {
	base, our, their, got := tm.has(c, m.bases[0]), tm.has(c, ours), tm.has(c, m.theirs), tm.has(c, result)
	tree := func(rev string) string { return tm.ask(c, "rev-parse", rev+"^{tree}") }
	commit := func(rev string, parents ...string) string {
		return tm.ask("bare", append([]string{"commit-tree", "-m", "x", tree(rev)}, parents...)...)
	}
	for x := range base { // also where there is nothing to merge: a commit that is reverted as the last one
		tm.mayBeGone[x] = tm.mayBeGone[x] || !their[x]
	}
	if m.bases[0] == ours || tree(m.bases[0]) == tree(m.theirs) {
		return
	}
	sides := []string{ours, m.theirs}
	if len(m.bases) == 1 {
		from := commit(m.bases[0])
		sides = []string{commit(ours, "-p", from), commit(m.theirs, "-p", from)}
	}
	out, err := tm.try("bare", "git", "merge-tree", "--write-tree", "--name-only", "--no-messages", sides[0], sides[1])
	plain := strings.Fields(out) // the tree, and the files with conflicts
	alone := []string{"grep", "-h", "-E", `\bd[0-9]+\b|^/when `, plain[0], "--", "agents"}
	beside := ""
	for _, name := range plain[1:] {
		alone = append(alone, ":!"+name)
		beside += hunk.ReplaceAllString(tm.ask("bare", "show", plain[0]+":"+name)+"\n", "") + "\n"
	}
	merged := itemsOf(tm.ask("bare", alone...) + "\n" + beside) // by git alone, without conflicts
	kind := map[bool]string{true: " in clones with the driver", false: " in clones without"}[strings.HasPrefix(c, "whence")]
	tm.count["merges"+kind]++
	if err != nil {
		tm.count["conflicts of git alone"+kind]++
	}
	if seen != nil && (seen.all || len(seen.open) > 0) {
		tm.count["conflicts"+kind]++
	}
	all := maps.Clone(base)
	maps.Copy(all, our)
	maps.Copy(all, their)
	for x := range all {
		want := our[x] && their[x] || our[x] && !base[x] || their[x] && !base[x]
		isDecision := x[0] == 'd'
		tm.mayBeGone[x] = tm.mayBeGone[x] || !want || !got[x]
		if got[x] == want || slices.ContainsFunc(m.bases, func(b string) bool { return tm.has(c, b)[x] != base[x] }) || seen != nil && (seen.all || seen.open[x] || seen.advised && !isDecision) {
			continue
		}
		if often := tm.often(c, m.bases[0], x); got[x] && max(tm.often(c, ours, x), tm.often(c, m.theirs, x)) > often {
			continue // one side has added a copy in another file
		}
		if merged[x] == got[x] && (got[x] || !tm.has("bare", plain[0])[x]) {
			tm.count["git alone merges cleanly, and wrongly"]++
			continue
		}
		tm.require(false, "%q is there: %t; in %s in %s; git alone: %v\n%s", x, got[x], m.subject, c, err, out)
	}
}

// between returns the merge of a commit with what is checked out.
func (tm *team) between(c, theirs, subject string) []threeWay {
	return []threeWay{{strings.Fields(tm.ask(c, "merge-base", "--all", "HEAD", theirs)), tm.ask(c, "rev-parse", theirs), subject}}
}

// picks returns the merges of a rebase.
func (tm *team) picks(c, onto string) (all []threeWay) {
	for hash := range strings.FieldsSeq(tm.ask(c, "rev-list", "--reverse", "--topo-order", "--no-merges", "--cherry-pick", "--right-only", onto+"...HEAD")) {
		all = append(all, threeWay{[]string{tm.ask(c, "rev-parse", hash+"^")}, hash, tm.ask(c, "log", "-1", "--format=%s", hash)})
	}
	return all
}

// operate does something in a clone.
func (tm *team) operate(c string) {
	tm.done++
	tm.env[slices.IndexFunc(tm.env, func(v string) bool { return strings.HasPrefix(v, "GIT_COMMITTER_DATE=") })] = fmt.Sprintf("GIT_COMMITTER_DATE=%d +0000", 1700000000+60*tm.done)
	titled := func(hash string) string { return tm.ask(c, "log", "-1", "--format=%s", hash) }
	branch := tm.ask(c, "branch", "--show-current")
	others := slices.DeleteFunc(strings.Fields(tm.ask(c, "for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/remotes")), func(b string) bool { return b == branch || strings.HasPrefix(b, "origin/HEAD") || b == "origin" })
	other := oneOf(tm.Rand, others)
	ahead := strings.Fields(tm.ask(c, "rev-list", "--no-merges", "-n", "6", "HEAD.."+other))
	switch n := tm.IntN(100); {
	case n < 46:
		if subject := tm.edit(c); subject != "" {
			_, _ = tm.git(c, "add", "-A")
			tm.commit(c, "commit", "-qm", subject)
			maps.Copy(tm.committed, tm.has(c, tm.ask(c, "rev-parse", "HEAD")))
		}
	case n < 54:
		next := oneOf(tm.Rand, branches)
		if _, err := tm.try(c, "git", "merge-base", "--is-ancestor", next, "HEAD"); next != "main" && (err == nil || !slices.Contains(others, next)) {
			_, _ = tm.git(c, "switch", "-q", "-C", next)
		} else {
			_, _ = tm.git(c, "switch", "-q", next)
		}
	case n < 70 && len(ahead) == 0: // nothing to merge
	case n < 60:
		tm.mergeBranch(c, other, "merge", "--no-ff")
	case n < 66:
		if picks := tm.picks(c, other); branch != "main" && len(picks) > 0 {
			tm.merge(c, "rebase", picks, "rebase", "-q", other)
		}
	case n < 70:
		tm.merge(c, "squash", tm.between(c, other, fmt.Sprintf("%d: squash", tm.done)), "merge", "-q", "--squash", other)
	case n < 74:
		hash := oneOf(tm.Rand, strings.Fields(tm.ask(c, "rev-list", "--no-merges", "-n", "6", "HEAD")))
		if parent := tm.ask(c, "rev-parse", "-q", "--verify", hash+"^"); parent != "" {
			tm.merge(c, "revert", []threeWay{{[]string{hash}, parent, `Revert "` + titled(hash) + `"`}}, "revert", "--no-edit", hash)
		}
	case n < 78:
		if len(ahead) > 0 {
			hash := oneOf(tm.Rand, ahead)
			tm.merge(c, "cherry-pick", []threeWay{{[]string{tm.ask(c, "rev-parse", hash+"^")}, hash, titled(hash)}}, "cherry-pick", hash)
		}
	case n < 88:
		tm.pull(c)
		_, _ = tm.git(c, "push", "-q", "origin", "main")
		tm.count["push"]++
		if branch := oneOf(tm.Rand, branches[1:]); tm.ask(c, "rev-parse", "-q", "--verify", branch) != "" {
			_, _ = tm.git(c, "push", "-q", "-f", "origin", branch+":"+c+"-"+branch)
		}
	case n < 96:
		tm.pull(c)
	default:
		tm.settled(c)
	}
	tm.require(tm.ask(c, "status", "--porcelain") == "", "%s is not clean", c)
}

// pull merges what was pushed, or rebases onto it.
func (tm *team) pull(c string) {
	_, _ = tm.git(c, "fetch", "-q", "--prune")
	_, _ = tm.git(c, "switch", "-q", "main")
	if tm.ask(c, "rev-list", "-n1", "HEAD..origin/main") == "" {
		return
	}
	tm.count["pull"]++
	if picks := tm.picks(c, "origin/main"); tm.IntN(2) == 0 && len(picks) > 0 {
		tm.merge(c, "rebase", picks, "rebase", "-q", "origin/main")
	} else {
		tm.mergeBranch(c, "origin/main", "pull", "--ff")
	}
}

// mergeBranch merges a branch into what is checked out.
func (tm *team) mergeBranch(c, branch, what, how string) {
	subject := fmt.Sprintf("%d: %s", tm.done, what)
	tm.merge(c, "merge", tm.between(c, branch, subject), "merge", "-q", how, "-m", subject, branch)
}

// The memory of a team whose members check it, or don't, survives what they do with git: each merge has what its sides
// have, and in the end all have the same memory, which is clean.
func TestTeamOfClones(t *testing.T) {
	repotest.Program(t, "sh")
	bin := installed(t)
	seeds, operations := 1, 60
	if repotest.Long() {
		seeds, operations = 12, 250
	}
	seed := uint64(1)
	_, _ = fmt.Sscan(os.Getenv("WHENCE_SEED"), &seed) // to see one again
	for i := range seeds {
		t.Run(fmt.Sprint(seed+uint64(i)), func(t *testing.T) {
			t.Parallel()
			tm := newTeam(t, bin, seed+uint64(i))
			defer func() {
				tm.count["operations"] = tm.done
				for _, name := range slices.Sorted(maps.Keys(tm.count)) {
					t.Logf("%5d %s", tm.count[name], name)
				}
			}()
			for range operations {
				tm.operate(oneOf(tm.Rand, clones))
			}
			for _, c := range slices.Concat(clones, clones[:1]) { // all branches come together
				for _, branch := range branches {
					tm.pull(c)
					tm.done++
					if _, err := tm.try(c, "git", "rev-parse", "-q", "--verify", branch); err == nil && tm.ask(c, "rev-list", "-n1", "HEAD.."+branch) != "" {
						tm.mergeBranch(c, branch, "end", "--no-ff")
					}
				}
				tm.settled(c)
				tm.run(c, "git", "push", "-q", "origin", "main")
			}
			for _, c := range clones {
				tm.pull(c)
				tm.require(tm.ask(c, "rev-parse", "HEAD") == tm.ask(clones[0], "rev-parse", "HEAD"), "%s differs", c)
				out, err := tm.typed(c, "memory-validate")
				tm.require(err == nil, "%s", out)
			}
			for id := range tm.committed {
				tm.require(id[0] != 'd' || tm.mayBeGone[id] || tm.has(clones[0], tm.ask(clones[0], "rev-parse", "HEAD"))[id], "%s is gone", id)
			}
		})
	}
}
