package remember

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v2"

	"whence/internal/cli"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/memory"
	"whence/internal/record"
	"whence/internal/store"
	"whence/validate"
	"whence/when"
)

// decided holds the arguments of decide.
type decided struct {
	title, text string
	file        string // --file
	supersedes  string // --supersedes
	entryFields
	operator   string // of the trigger; "" is when
	situations []string
	day        time.Time
	then       string // a note on what may be done next, or ""
}

func decideCommand(env cli.Env, parts Parts) *urfave.Command {
	o := options{begins: true}
	d := decided{}
	from, text := "", ""
	return &urfave.Command{
		Name: "decide", Usage: "write a decision: its text, its entry and its situations", ArgsUsage: "TITLE --text TEXT",
		Description: "It becomes the next record of the folder of records, or a section of the decision file. " +
			"Without --trigger or --description the entry is a draft.",
		Flags: o.writeFlags(
			&urfave.StringFlag{Name: "text", Usage: "what was decided, and why: `TEXT` in Markdown without headings; - reads it from standard input", Destination: &text},
			&urfave.StringFlag{Name: "from", Usage: "take the text of a learning, by its `NAME`, of a turn, by SESSION/TURN, or of the message of a commit, by its hash", Destination: &from},
			&urfave.StringFlag{Name: "file", Usage: "the decision file, or the folder of records, at `PATH`", Destination: &d.file},
			&urfave.StringFlag{Name: "supersedes", Usage: "the decision that this one replaces, by its `TITLE`, trigger, path or number", Destination: &d.supersedes},
			&urfave.StringFlag{Name: "trigger", Usage: "what an agent is doing when it applies: two to eight `WORDS`", Destination: &d.trigger},
			&urfave.StringFlag{Name: "description", Usage: "further `WORDS` by which to find it; trigger, title and description have 8 to 20 words together, unless word-count is set", Destination: &d.description},
			&urfave.StringSliceFlag{Name: "situation", Usage: "what someone types, does or sees when it applies, a `PHRASE`; may be repeated"},
		),
		Action: func(cmd *urfave.Context) error {
			if err := d.read(env, cmd, text, from); err != nil {
				return err
			}
			if from != "" {
				stored := learningOptions{Parts: parts, dir: o.repository.Dir()}
				svc, err := stored.service(env)
				if err != nil {
					return err
				}
				if err := d.takeFrom(cmd.Context, svc, cli.Root(stored.repoDir(env)), from); err != nil {
					if errors.Is(err, store.ErrUnknown) || errors.Is(err, store.ErrNone) {
						return reportFailure(env, fmt.Sprintf("--from %q is neither a learning, by its name or id (\"%s\" prints them), nor SESSION/TURN (\"%s\" finds sessions), nor the hash of a commit",
							from, stored.typed(env, "memory-remember list --brief"), stored.typed(env, "memory-remember session WORDS")))
					}
					return stored.notFound(env, sessionNotFound(env, err))
				}
			}
			d.text = strings.ReplaceAll(d.text, "\r\n", "\n") // commit messages may have them, too
			if err := record.CheckText(d.text); err != nil {
				return cli.Usagef("%v", err)
			}
			d.day = time.Now()
			return o.edit(env, cmd, func(a *attempt) (editResult, error) { return a.decide(d) })
		},
	}
}

// read checks the arguments.
func (d *decided) read(env cli.Env, cmd *urfave.Context, text, from string) (err error) {
	if cmd.Args().Len() != 1 {
		return cli.Usagef("give the title of the decision, in quotes: memory-remember decide 'TITLE' --text 'WHAT, AND WHY'")
	}
	d.title = strings.Join(strings.Fields(cmd.Args().First()), " ")
	if err := checkUTF8("the title", d.title); err != nil {
		return err
	}
	if err := record.CheckTitle(d.title); err != nil {
		return cli.Usagef("%v", err)
	}
	if (text == "") == (from == "") {
		return cli.Usagef("say what was decided, with --text TEXT (- reads it from standard input) or --from, one of them")
	}
	if err := d.normalize(cmd, false); err != nil {
		return err
	}
	for _, given := range [][2]string{{"", d.title}, {"--text ", text}} {
		if err := cli.RefusePlaceholder(given[0], given[1], "words of your own: write those"); err != nil {
			return err
		}
	}
	if d.situations, err = situationsOf(cmd); err != nil {
		return err
	}
	if text != "" {
		if d.text, err = textOf(env, []string{text}); err != nil {
			return err
		}
	}
	return nil
}

// decide computes the memory with the decision.
func (a *attempt) decide(d decided) (result editResult, err error) {
	old, err := a.superseded(d.supersedes)
	if err != nil {
		return result, err
	}
	for _, same := range a.Titled(d.title) {
		if same != old || old.File.Document {
			return result, cli.Usagef("%q is a decision already, at %s: choose another title, or change that one there", d.title, a.place(same))
		}
	}
	w, err := a.writing(d, old)
	if err != nil {
		return result, err
	}
	after, err := a.withTexts(w, old)
	if err != nil {
		return result, err
	}
	h, err := written(after, w, d.text)
	if err != nil {
		return result, err
	}
	result.changes = []entryChange{{"added", fmt.Sprintf("%q (%s)", h.Title, a.place(h))}}
	switch {
	case old == nil:
	case old.File.Document:
		result.changes = append(result.changes, entryChange{"changed", fmt.Sprintf("%q (%s): superseded", old.Title, a.place(old))})
	default:
		result.changes = append(result.changes, entryChange{"removed", fmt.Sprintf("%q, which git has", old.Title)})
	}
	editor := validate.NewEditor(after, a.config)
	if old != nil && old.File.Document {
		if editor, err = d.freeTrigger(a, editor, old, &result); err != nil {
			return result, err
		}
		h = editor.Counterpart(h)
	}
	if old != nil && !old.File.Document && d.trigger == "" {
		d.operator, d.trigger = a.wordedTrigger(old)
	}
	entries := d.entries(editor, h)
	if after, err = editor.Insert(entries...); err != nil {
		return result, err
	}
	for _, e := range entries {
		result.changes = append(result.changes, entryChange{"added", e.Text})
	}
	taken := ""
	if old != nil && len(d.situations) == 0 && len(old.Phrases()) > 0 {
		d.situations, taken = old.Phrases(), fmt.Sprintf(" of %q", old.Title)
	}
	if after, err = d.withSituations(validate.NewEditor(after, a.config), h, taken, &result); err != nil {
		return result, err
	}
	result.after = after
	result.refused = slices.DeleteFunc(a.Worse(after), func(f finding.Finding) bool { return f.Rule == "consumption-header" })
	if len(result.refused) > 0 {
		result.notes = d.advice()
		return result, nil
	}
	result.drafts = max(0, validate.CountWording(after, a.config).Drafts-len(a.Unworded().Drafts))
	if left := record.Unfilled(h.File); left != nil {
		result.notes = append(result.notes, "chapters to fill, or to remove: "+strings.Join(left, ", "))
	}
	if d.then != "" {
		result.notes = append(result.notes, d.then)
	}
	return result, nil
}

// advice names the flags that replace a refused draft.
func (d decided) advice() []string {
	var flags []string
	if d.trigger == "" {
		flags = append(flags, "--trigger")
	}
	if d.description == "" {
		flags = append(flags, "--description")
	}
	if flags == nil {
		return nil
	}
	return []string{"word the entry with " + strings.Join(flags, " and ")}
}

// wordedTrigger returns the operator and trigger of a section that is replaced: the situation stays the same. It
// returns "" if the section has only a draft.
func (a *attempt) wordedTrigger(old *memory.Heading) (operator, trigger string) {
	for _, e := range old.Entries {
		if !a.IsDerived(old, e.Key(), e.Description.Text) {
			return e.Operator, e.Trigger.Text
		}
	}
	return "", ""
}

// entries returns the entry of the decision, and drafts for all other headings if there is no index yet.
func (d decided) entries(editor *validate.Editor, h *memory.Heading) (entries []validate.Insertion) {
	if editor.IndexMissing {
		for _, m := range editor.Missing() {
			if m.Heading != h && m.Older == nil {
				entries = append(entries, m.Insertion)
			}
		}
	}
	own := editor.Draft(h)
	e := own.Entry()
	if d.trigger != "" {
		e.Operator, e.Trigger.Text = cmp.Or(d.operator, "when"), d.trigger
	}
	e.Description.Text = cmp.Or(d.description, e.Description.Text)
	own.Text = index.FormatEntry(e.Operator, e.Trigger.Text, e.Title.Text, e.Description.Text)
	return append(entries, own)
}

// freeTrigger gives the entry of a superseded record the trigger of a draft, if the new decision takes the record's
// own.
func (d decided) freeTrigger(a *attempt, editor *validate.Editor, old *memory.Heading, result *editResult) (*validate.Editor, error) {
	key := index.Key{Operator: "when", Trigger: index.NormalizeTrigger(d.trigger)}
	for _, e := range editor.Leading(editor.Counterpart(old)) {
		if e.Key() != key {
			continue
		}
		line := index.FormatEntry(e.Operator, editor.Draft(e.Heading).Entry().Trigger.Text, e.Title.Text, e.Description.Text)
		result.changes = append(result.changes, entryChange{"changed", line})
		after, err := editor.Apply(map[*memory.Entry]string{e: line})
		return validate.NewEditor(after, a.config), err
	}
	return editor, nil
}

// withSituations returns the memory with the situations of the decision; whose says for the report whether they come
// from another one.
func (d decided) withSituations(editor *validate.Editor, h *memory.Heading, whose string, result *editResult) (*memory.Memory, error) {
	edits, added, err := editor.AddSituations(h, d.situations)
	if err != nil || len(added) == 0 {
		result.notes = append(result.notes, noSituations)
		return editor.Memory, err
	}
	result.changes = append(result.changes, entryChange{"added", cli.Count(len(added), "situation", "situations") + whose})
	return editor.Apply(nil, edits...)
}

// superseded returns the heading of the decision to replace, by its path, number, title or trigger; nil if none is
// named. It refuses a decision that was replaced already: its successor would go on to hold beside the new one.
func (a *attempt) superseded(named string) (*memory.Heading, error) {
	if named == "" {
		return nil, nil
	}
	h, err := a.decisionNamed(named)
	if err != nil || h.Successor == nil {
		return h, err
	}
	return nil, cli.Usagef("--supersedes: %q is superseded already, by %q (%s): name that one", h.Title, h.Successor.Title, a.place(h.Successor))
}

func (a *attempt) decisionNamed(named string) (*memory.Heading, error) {
	if file := a.File(a.pathOf(named)); file != nil && file.Document {
		return a.HeadingsOf(file)[0], nil
	}
	found := a.Semantic(named)
	if q, err := when.ParseQuery(named); err == nil && q.Trigger != "" {
		for _, e := range a.asked(q) {
			if e.Heading != nil {
				found = append(found, e.Heading)
			}
		}
	}
	for _, path := range record.Numbered(a.Paths, named) {
		if file := a.File(path); file != nil && file.Document {
			found = append(found, a.HeadingsOf(file)[0])
		}
	}
	found = slices.Compact(found)
	switch len(found) {
	case 0:
		var titles []string
		near := validate.Nearest(a.Memory, named, 0)
		for _, h := range near[:min(len(near), maxTitles)] {
			titles = append(titles, fmt.Sprintf("%q (%s)", h.Title, a.place(h)))
		}
		nearest := ""
		if titles != nil {
			nearest = "; the nearest are: " + strings.Join(titles, ", ")
		}
		return nil, cli.Usagef("--supersedes: no decision %q: name one by its title, its trigger, its path or its number%s", named, nearest)
	case 1:
		return found[0], nil
	}
	return nil, cli.Usagef("--supersedes: %q is at %s and at %s: name it by its path", named, a.place(found[0]), a.place(found[1]))
}
