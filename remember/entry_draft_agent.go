package remember

import (
	"fmt"

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
func (o *options) draftsForAgent(env cli.Env, ctx *urfave.Context, maxEntries int) error {
	s, err := o.open(env, ctx)
	if err != nil {
		return err
	}
	defer s.tree.Close()
	if _, err := s.load(); err != nil {
		return cli.SettingsError(err)
	}
	drafts, unclear := s.drafts()
	request, err := s.requestWording(drafts, maxEntries)
	if err != nil {
		return cli.SettingsError(err)
	}
	if !o.quiet {
		fmt.Fprintf(env.Stderr, "memory-remember: %s without an entry\n", cli.Count(len(drafts), "heading", "headings"))
		if unclear > 0 {
			fmt.Fprintf(env.Stderr, "memory-remember: %s an entry that leads nowhere: memory-remember entry draft says which\n", cli.Count(unclear, "heading more seems to have", "headings more seem to have"))
		}
	}
	return text.WriteJSON(env.Stdout, request)
}

func (s *entryEditor) requestWording(drafts []validate.Missing, maxEntries int) (wording.Request, error) {
	all := len(drafts)
	for _, line := range s.Index().Lines {
		if line.Kind == index.EntryLine {
			all++
		}
	}
	entries, lines := []wording.Entry{}, []validate.Entry{}
	for _, m := range drafts {
		drafted := draftedEntry(m)
		e := wording.Entry{Operator: drafted.Operator, Trigger: drafted.Trigger.Text, Description: drafted.Description.Text}
		file, _ := s.Heading(m.Place)
		e.Confidence = trigger.Derive(trigger.SectionOf(file, m.Heading)).Confidence
		e.Section(file, m.Heading)
		e.Wanted = max(0, wording.WantedSituations-len(e.Situations))
		entries, lines = append(entries, e), append(lines, m.Entry)
	}
	request := wording.NewRequest(entries, all, maxEntries, s.config)
	if len(drafts) == 0 {
		return request, nil
	}
	after, err := s.Insert(lines...)
	if err != nil {
		return wording.Request{}, err
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
