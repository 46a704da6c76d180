package validate

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"whence/internal/cli"
	"whence/internal/decision"
	"whence/internal/finding"
	"whence/internal/inert"
	"whence/internal/memory"
	"whence/internal/repo"
	"whence/internal/shell"
	"whence/internal/words"
)

// A decision goes out of date unseen when a commit removes the last mention of a name from the code, while the decision
// still has the name in backquotes. That fact becomes a note: only a reader knows whether the decision still holds.

const (
	// maxGoneTime is how long a commit waits for the search for names that are gone.
	maxGoneTime = 3 * time.Second
	// maxGoneNotes bounds the notes that are printed: a decision that is out of date as a whole has many names.
	maxGoneNotes = 10
	// minNameChars is the minimum length of a name that is looked for.
	minNameChars = 3
)

// goneNames holds what a change removes and adds.
type goneNames struct {
	removed, added map[string]bool   // words of the lines of code
	written        map[string]string // path of a text → its new lines, each between line ends
}

// addNames adds the words of a text. Words joined by hyphens are added whole and in parts.
func addNames(names map[string]bool, text string) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isInName(r) }) {
		names[strings.Trim(word, "-")] = true
		for part := range strings.SplitSeq(word, "-") {
			names[part] = true
		}
	}
}

func isInName(r rune) bool { return words.IsWordRune(r) || r == '-' }

// goneSince returns notes on the names that decisions have in backquotes and that the staged code no longer has,
// compared with the last commit, or with --since, with the fork point from that revision. It returns none for merges
// and commits that git replays: their notes were printed before.
func (a advice) goneSince(m *memory.Memory) (notes []finding.Finding, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), maxGoneTime)
	defer cancel()
	commit := ""
	if a.since != "" {
		ctx = context.Background()
		if commit, err = a.git.ForkPoint(ctx, a.since); err != nil {
			return nil, err
		}
	} else if a.git.Merging(os.Environ()) || a.git.Replaying() {
		return nil, nil
	}
	changes, err := a.git.StagedSince(ctx, commit)
	if err != nil {
		return nil, err
	}
	g := goneNames{map[string]bool{}, map[string]bool{}, map[string]string{}}
	for _, c := range changes {
		if repo.IsProse(c.Path) {
			g.written[c.Path] = "\n" + c.Added
			continue
		}
		addNames(g.removed, c.Removed)
		addNames(g.added, c.Added)
	}
	if len(g.removed) == 0 {
		return nil, nil
	}
	var asked []string // the name of each note
	for _, f := range m.Files {
		for _, span := range f.CodeSpans() {
			name := nameIn(span.Text)
			if name == "" || !g.removed[name] || g.added[name] {
				continue
			}
			if note, isNews := a.noteOn(m, f, span, name, g); isNews {
				notes, asked = append(notes, note), append(asked, name)
			}
		}
	}
	return a.without(ctx, notes, asked)
}

// without drops the notes on names that code still has, and keeps one note for each decision. of has the name of each
// note.
func (a advice) without(ctx context.Context, notes []finding.Finding, of []string) (left []finding.Finding, err error) {
	if len(of) == 0 {
		return nil, nil
	}
	matches, err := a.git.InStagedCode(ctx, sorted(of))
	if err != nil {
		return nil, err
	}
	still := map[string]bool{}
	addNames(still, matches)
	for i, note := range notes {
		last := len(left) - 1
		if !still[of[i]] && (last < 0 || left[last].Path != note.Path || left[last].Heading != note.Heading) {
			left = append(left, note)
		}
	}
	return left, nil
}

// nameIn returns the last part of the name in a text, without qualifiers, the sign of a pointer or flag, and arguments:
// "Open" for "(*store.DB).Open(path)". It returns "" for other texts.
func nameIn(text string) string {
	text = strings.ReplaceAll(strings.TrimLeft(text, "(*&-"), ").", ".")
	if open := strings.IndexAny(text, "(["); open > 0 {
		text = text[:open]
	}
	name := text[strings.LastIndexAny(text, ".:>#")+1:]
	first, _ := utf8.DecodeRuneInString(name)
	isPart := func(r rune) bool { return isInName(r) || strings.ContainsRune(".:>#", r) }
	if utf8.RuneCountInString(name) < minNameChars || first != '_' && !unicode.IsLetter(first) || strings.TrimFunc(text, isPart) != "" {
		return ""
	}
	return name
}

// noteOn returns the note on a gone name at its place in a decision. It is not news if the decision does not hold or
// the line is new.
func (a advice) noteOn(m *memory.Memory, f *decision.File, span decision.CodeSpan, name string, g goneNames) (note finding.Finding, isNews bool) {
	start := bytes.LastIndexByte(f.Source[:span.Start], '\n') + 1
	line, _, _ := bytes.Cut(f.Source[start:], []byte("\n"))
	isNews = !strings.Contains(g.written[path.Join(a.folder, f.Path)], "\n"+string(line)+"\n")
	note = finding.Finding{Path: f.Path, Line: span.Line, Column: utf8.RuneCount(f.Source[start:span.Start]) + 1, Rule: "gone-name",
		Message: fmt.Sprintf("this change removes the last mention of `%s` in code: see whether the decision still holds", name)}
	command := ""
	for _, h := range m.HeadingsOf(f) {
		if span.Start < h.Start || span.Start >= h.End {
			continue
		}
		isNews = isNews && !h.Gone && !h.Disputed
		if len(h.Entries) > 0 {
			command, note.Heading = ", with "+a.config.Typed.Command("memory-when "+shell.Quote(h.Entries[0].Query())), h.Title
		}
	}
	note.Message += command
	return note, isNews
}

// notesText returns notes as lines for a person.
func notesText(notes []finding.Finding) string {
	var out strings.Builder
	for _, n := range notes[:min(len(notes), maxGoneNotes)] {
		fmt.Fprintf(&out, "%s:%d: %s\n", inert.Path(n.Path), n.Line, inert.Printable(n.Message))
	}
	if more := len(notes) - maxGoneNotes; more > 0 {
		out.WriteString(cli.Count(more, "more decision names what goes", "more decisions name what goes") + "\n")
	}
	return out.String()
}
