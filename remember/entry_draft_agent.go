package remember

import (
	"fmt"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/index"
	"whence/internal/text"
	"whence/internal/trigger"
	"whence/internal/wording"
	"whence/validate"
	"whence/when"
)

// drafts are the headings without an entry that nothing in the index seems to be the entry of, and
// the number of the others.
func (s *entryEditor) drafts() (drafts []validate.Missing, unclear int) {
	for _, m := range s.Missing() {
		if m.Older < 0 && m.Misspelt < 0 {
			drafts = append(drafts, m)
		} else {
			unclear++
		}
	}
	return drafts, unclear
}

// draftsForAgent prints the next drafts to word, with what is needed to word them.
func (o *options) draftsForAgent(env cli.Env, cmd *urfave.Context, maxEntries int, reword bool) error {
	s, err := o.open(env, cmd)
	if err != nil {
		return err
	}
	defer s.tree.Close()
	if _, err := s.load(); err != nil {
		return cli.SettingsError(err)
	}
	drafts, unclear := s.drafts()
	var known []indexed
	if reword {
		known = s.unworded()
	}
	request, err := s.requestWording(drafts, known, maxEntries)
	if err != nil {
		return cli.SettingsError(err)
	}
	if !o.quiet {
		printLeft(env, len(drafts), len(known), reword)
		if unclear > 0 {
			fmt.Fprintf(env.Stderr, "memory-remember: %s an entry that leads nowhere: memory-remember entry draft says which\n", cli.Count(unclear, "heading more seems to have", "headings more seem to have"))
		}
	}
	return text.WriteJSON(env.Stdout, request)
}

// printLeft prints how much is still to word.
func printLeft(env cli.Env, drafts, known int, reword bool) {
	line := cli.Count(drafts, "heading", "headings") + " without an entry"
	if reword {
		line += ", " + cli.Count(known, "entry", "entries") + " as drafted"
	}
	fmt.Fprintf(env.Stderr, "memory-remember: %s\n", line)
}

// indexed is an entry of the index, and where it leads.
type indexed struct {
	validate.Place
	line int // index into Index.Lines
}

// unworded lists the entries that are still as rules drafted them: the trigger is derived, and there are
// no situations. Decisions that no longer hold, or have several entries, are left out.
func (s *entryEditor) unworded() (found []indexed) {
	entries := map[validate.Place]int{}
	for i, line := range s.Index().Lines {
		at, known := s.Target(i)
		if line.Kind != index.EntryLine || !known {
			continue
		}
		entries[at]++
		file, _ := s.Heading(at)
		if len(s.phrases(at)) > 0 || !file.Status().Holds() {
			continue
		}
		operator, words := trigger.Derive(trigger.Title(file, at.Heading)) // others may follow, which made it unique
		if operator == line.Entry.Operator && strings.HasPrefix(line.Entry.Key().Trigger+" ", strings.Join(words, " ")+" ") {
			found = append(found, indexed{at, i})
		}
	}
	return slices.DeleteFunc(found, func(e indexed) bool { return entries[e.Place] > 1 })
}

func (s *entryEditor) requestWording(drafts []validate.Missing, known []indexed, maxEntries int) (wording.Request, error) {
	all := len(drafts)
	for _, line := range s.Index().Lines {
		if line.Kind == index.EntryLine {
			all++
		}
	}
	entries, lines := []wording.Entry{}, []validate.Entry{}
	add := func(at validate.Place, worded index.Entry) {
		e := wording.Entry{Operator: worded.Operator, Trigger: worded.Trigger.Text, Description: worded.Description.Text}
		file, _ := s.Heading(at)
		e.Confidence = trigger.Confidence
		e.Section(file, at.Heading)
		e.Header = worded.Title.Text
		e.Wanted = max(0, wording.WantedSituations-len(e.Situations))
		entries = append(entries, e)
	}
	for _, m := range drafts {
		add(m.Place, draftedEntry(m))
		lines = append(lines, m.Entry)
	}
	for _, e := range known {
		add(e.Place, s.Index().Lines[e.line].Entry)
	}
	request := wording.NewRequest(entries, all, maxEntries, s.config)
	if len(entries) == 0 {
		return request, nil
	}
	after := s.corpus
	if len(lines) > 0 {
		var err error
		if after, err = s.Insert(lines...); err != nil {
			return wording.Request{}, err
		}
	}
	finder, err := when.FinderOf(after)
	if err != nil {
		return wording.Request{}, err
	}
	for i, e := range request.Entries {
		request.Entries[i].Neighbours = wording.Neighbours(finder, e)
	}
	return request, nil
}

// draftedEntry returns the fields of a drafted line.
func draftedEntry(m validate.Missing) index.Entry {
	return index.Parse([]byte("## x\n" + m.Line)).Lines[1].Entry
}
