package report

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/agent/transcript"
)

// Use is a set of kinds of evidence that an item was used.
type Use uint8

// The kinds of use.
const (
	Opened  Use = 1 << iota // its decision file was read or edited, or named in a command; or its query was asked
	Cited                   // an answer names its file, query, id, or title
	Quoted                  // an answer has five words in a row of it
	Read                    // a pointer's query was asked soon
	Changed                 // once read, something that the decision names was changed
)

// maxReadCalls is the number of an agent's uses of tools after a pointer within which it counts as
// read: later it is read for another reason.
const maxReadCalls = 10

// maxLaterPrompts is the number of prompts after an item during which its use is looked for.
const maxLaterPrompts = 3

// minTitleWords is the minimum length of a title that can be cited.
const minTitleWords = 3

// Pending is an item whose use is looked for.
type Pending struct {
	Recall, Item int // places in the scan
	Left         int // prompts during which its use is still looked for
	Subagent     bool
	Known        bool   // its file was in play before, so that coming back to it proves nothing
	Runs         hashes // its word runs, except those said before
	Calls        int    // uses of tools during which a pointer still counts as read
	Names        hashes // what the decision names, once it is read
}

// Bounds of what is remembered of a session while it is scanned.
const (
	maxPending    = 200
	maxNamedFiles = 500
	maxSaidRuns   = 2048
	maxShown      = 2048
)

// watchForUse begins to look for the use of an item.
func (s *Scan) watchForUse(recall, item int, t injectedItem, subagent bool) {
	w := Pending{Recall: recall, Item: item, Left: maxLaterPrompts, Subagent: subagent}
	if t.Kind == Decision {
		s.addShown(subagent, trigger(t.Query))
	}
	if t.isPointer() {
		w.Calls = maxReadCalls
	}
	w.Known = slices.ContainsFunc(s.State.Named, func(name string) bool { return isFile(name, t.File) })
	runs(t.text, func(run uint64) {
		if !slices.Contains(s.State.SaidRuns, run) {
			w.Runs = append(w.Runs, run)
		}
	})
	s.State.Pending = append(s.State.Pending, w)
	s.State.Pending = s.State.Pending[max(0, len(s.State.Pending)-maxPending):]
}

// addUse adds use to the pending items of the same agent.
func (s *Scan) addUse(subagent bool, use func(w Pending, i Item) Use) {
	for _, w := range s.State.Pending {
		if w.Subagent == subagent {
			i := s.itemOf(w)
			i.Use |= use(w, *i)
		}
	}
}

func (s *Scan) itemOf(w Pending) *Item { return &s.Recalls[w.Recall].Items[w.Item] }

// useInTool looks for use in the input of a tool.
func (s *Scan) useInTool(r transcript.Record, b transcript.Block) {
	named := append(files(b.Input.Command), b.Input.Path)
	l, _ := lookUpIn(b)
	asked := l.triggers()
	var changed map[uint64]bool
	s.addUse(r.Sidechain, func(w Pending, i Item) (u Use) {
		opened := slices.ContainsFunc(named, func(name string) bool { return isFile(name, i.File) })
		if opened && !w.Known {
			u |= Opened
		}
		if i.Query != "" && slices.Contains(asked, trigger(i.Query)) {
			u |= Opened
			if w.Calls > 0 {
				u |= Read
			}
		}
		if len(w.Names) > 0 && b.Input.Path != "" && b.Input.Written != "" {
			if changed == nil {
				changed = namesOfEdit(b.Input)
			}
			if slices.ContainsFunc(w.Names, func(name uint64) bool { return changed[name] }) {
				u |= Changed
			}
		}
		return u
	})
	for n := range s.State.Pending {
		if w := &s.State.Pending[n]; w.Subagent == r.Sidechain && w.Calls > 0 {
			w.Calls--
		}
	}
	s.addNamed(named)
}

// watchForChange begins to look for changes of what decisions name, in the answer to a query.
func (s *Scan) watchForChange(subagent bool, answer string) {
	for n := range s.State.Pending {
		w := &s.State.Pending[n]
		i := s.itemOf(*w)
		if w.Subagent != subagent || i.Use&Read == 0 || len(w.Names) > 0 {
			continue
		}
		title := "# " + strings.TrimSuffix(i.Title, " …") // a long one is cut
		if at := lineAt(answer, title); at >= 0 {
			section, _, _ := strings.Cut(answer[at:], "\n---\n")
			names(section, func(name uint64) { w.Names = append(w.Names, name) })
		}
	}
}

// useInText looks for use in the agent's text.
func (s *Scan) useInText(r transcript.Record, text string) {
	if text == "" {
		return
	}
	named := files(text)
	if len(s.State.Pending) > 0 {
		folded := fold(text)
		var said map[uint64]bool
		s.addUse(r.Sidechain, func(w Pending, i Item) (u Use) {
			if said == nil {
				said = map[uint64]bool{}
				runs(text, func(run uint64) { said[run] = true })
			}
			if slices.ContainsFunc(w.Runs, func(run uint64) bool { return said[run] }) {
				u |= Quoted
			}
			cited := slices.ContainsFunc(named, func(name string) bool { return isFile(name, i.File) })
			title := fold(i.Title)
			if cited && !w.Known || i.Query != "" && strings.Contains(folded, fold(i.Query)) || i.ID != "" && strings.Contains(text, i.ID) ||
				len(strings.Fields(title)) >= minTitleWords && strings.Contains(folded, title) {
				u |= Cited
			}
			return u
		})
	}
	s.addNamed(named)
	s.addSaid(text)
}

// isSameQuery reports whether two queries have the same trigger, with operators or without.
func isSameQuery(a, b string) bool { return a != "" && trigger(a) == trigger(b) }

// addShown records a decision that an agent was shown or has read.
func (s *Scan) addShown(subagent bool, trigger string) {
	if !s.wasShown(subagent, trigger) {
		s.State.Shown = append(s.State.Shown, shownHash(subagent, trigger))
		s.State.Shown = s.State.Shown[max(0, len(s.State.Shown)-maxShown):]
	}
}

// wasShown reports whether an agent was shown a decision or has read it.
func (s *Scan) wasShown(subagent bool, trigger string) bool {
	return slices.Contains(s.State.Shown, shownHash(subagent, trigger))
}

func shownHash(subagent bool, trigger string) uint64 { return hash(fmt.Sprint(subagent, " ", trigger)) }

// addNamed records files that were named or opened.
func (s *Scan) addNamed(names []string) {
	for _, name := range names {
		if strings.HasSuffix(name, ".md") && !slices.Contains(s.State.Named, name) {
			s.State.Named = append(s.State.Named, name)
		}
	}
	s.State.Named = s.State.Named[max(0, len(s.State.Named)-maxNamedFiles):]
}

// addSaid records what was said last: an item that repeats it adds nothing.
func (s *Scan) addSaid(text string) {
	runs(text, func(run uint64) { s.State.SaidRuns = append(s.State.SaidRuns, run) })
	if over := len(s.State.SaidRuns) - maxSaidRuns; over > 0 {
		s.State.SaidRuns = append(s.State.SaidRuns[:0], s.State.SaidRuns[over:]...)
	}
}
