package validate

import (
	"slices"
	"strings"

	"whence/internal/corpus"
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/text"
)

// example is a query in back-quotes in the preamble, such as `/when listing many rows`.
type example struct {
	line  int // index into Index.Lines
	query span
	title span // what the preamble says it prints, without quotes; empty if it does not say
	key   index.Key
	given bool // the line calls it an example, or says what it prints
	ours  bool // it is in the sentence of Guidance
}

// span is a part of the index and its text.
type span struct {
	index.Span
	text string
}

var (
	quotedQuery = lazy("`(/(?:when|how)[ \t]+[^`]+)`")
	isExample   = lazy(`(?i)\b(?:examples?|for instance|e\.g\.)[^.!?]*$`)
	ourPrints   = lazy(`^ prints "(.*)" and names the entries beside it\.$`)
	prints      = lazy(`^ prints "([^"]*)"`)
)

// maxExamples bounds the examples that are read in a preamble.
const maxExamples = 100

// examples lists the queries in back-quotes in the preamble of an index. Those with
// placeholders do not count, except in the sentence of Guidance.
func examples(f *index.File) []example {
	var found []example
	for i, line := range f.Lines {
		if line.Section >= 0 || len(found) >= maxExamples {
			break
		}
		if line.Opaque {
			continue
		}
		text := strings.TrimRight(f.Text(line), " \t")
		part := func(start, end int) span {
			return span{index.Span{Start: line.Start + start, End: line.Start + end}, text[start:end]}
		}
		for _, at := range quotedQuery().FindAllStringSubmatchIndex(text, maxExamples-len(found)) {
			x := example{line: i, query: part(at[2], at[3])}
			before, after := text[:at[0]], text[at[1]:]
			x.given = isExample().MatchString(before)
			if m := ourPrints().FindStringSubmatchIndex(after); m != nil && before == "Example: " {
				x.ours, x.title = true, part(at[1]+m[2], at[1]+m[3])
			} else if m := prints().FindStringSubmatchIndex(after); m != nil {
				x.given, x.title = true, part(at[1]+m[2], at[1]+m[3])
			}
			operator, trigger, _ := strings.Cut(x.query.text[1:], " ")
			x.key = index.Key{Operator: operator, Trigger: index.NormalizeTrigger(strings.TrimRight(trigger, ".!?:;, "))}
			if x.ours || isTrigger(x.key.Trigger) {
				found = append(found, x)
			}
		}
	}
	return found
}

// isTrigger reports whether the text of a query looks like a trigger. A section, a file, a
// placeholder or a single word does not.
func isTrigger(text string) bool {
	return strings.Contains(text, " ") && !strings.ContainsAny(text, "§<>{}[]$*|…") && !strings.Contains(text, "...") && text[0] != '.'
}

// staleExamples reports the examples of the preamble that no entry answers, or with another
// title than the preamble says.
func staleExamples(k *check, report func(finding.Finding)) {
	for _, x := range examples(k.Index) {
		now := k.answer(x.key)
		var f finding.Finding
		switch {
		case now != nil && !k.misquotes(x, now) || !x.given && !x.ours:
			continue
		case now != nil:
			f = k.atOffset(x.line, x.title.Start, "the example prints %q, not %q: --fix writes that", now.Title.Text, x.title.text)
		default:
			if now = k.replacement(x); now == nil {
				report(k.atOffset(x.line, x.query.Start, "no entry answers the example %q: name a trigger of this index", x.query.text))
				continue
			}
			f = k.atOffset(x.line, x.query.Start, "no entry answers the example %q: --fix writes %q", x.query.text, query(now))
		}
		f.Fix = &finding.Fix{Edits: k.rewrite(x, query(now), now.Title.Text), Removed: []string{k.Index.Text(k.Index.Lines[x.line])}}
		report(f)
	}
}

// misquotes reports whether our example names another title than the entry has. A title
// without heading is reported at the entry.
func (k *check) misquotes(x example, e *index.Entry) bool {
	return x.ours && x.title.text != e.Title.Text && k.joined.Named(e.Title.Text) != nil
}

// query returns the query for an entry.
func query(e *index.Entry) string { return "/" + e.Operator + " " + e.Key().Trigger }

// rewrite replaces the query and the title of an example.
func (k *check) rewrite(x example, query, title string) []finding.Edit {
	var edits []finding.Edit
	if query != x.query.text {
		edits = append(edits, k.edit(x.query.Span, query))
	}
	if x.title.End > 0 && title != x.title.text {
		edits = append(edits, k.edit(x.title.Span, title))
	}
	return edits
}

// withKey returns the first entry with a key, or nil.
func (k *check) withKey(key index.Key) *index.Entry {
	if n := slices.Index(k.keys, key); n >= 0 {
		return &k.Index.Lines[k.entries[n]].Entry
	}
	return nil
}

// answer returns the entry that a query leads to, or nil. Like memory-when, it accepts other
// forms and another order of the words.
func (k *check) answer(key index.Key) *index.Entry {
	if e := k.withKey(key); e != nil {
		return e
	}
	if k.byStems == nil {
		k.byStems = map[index.Key]*index.Entry{}
		for n, i := range slices.Backward(k.entries) { // of several, the first one answers
			k.byStems[stems(k.keys[n])] = &k.Index.Lines[i].Entry
		}
	}
	return k.byStems[stems(key)]
}

// stems returns a key whose trigger has its words stemmed and sorted, without articles.
func stems(key index.Key) index.Key {
	var all []string
	for _, w := range strings.Fields(key.Trigger) {
		if w != "a" && w != "an" && w != "the" {
			all = append(all, text.Stem(w))
		}
	}
	slices.Sort(all)
	return index.Key{Operator: key.Operator, Trigger: strings.Join(all, " ")}
}

// replacement returns the entry to name in a stale example: the one with the title of the
// example, or else the first one.
func (k *check) replacement(x example) *index.Entry {
	for _, i := range k.entries {
		if e := &k.Index.Lines[i].Entry; x.title.text != "" && e.Title.Text == x.title.text && quotable(e) {
			return e
		}
	}
	return k.example()
}

// quotable reports whether a query for an entry can be put in back-quotes.
func quotable(e *index.Entry) bool { return !strings.Contains(e.Trigger.Text, "`") }

// example returns the first entry that leads to a heading, or nil.
func (k *check) example() *index.Entry {
	for _, i := range k.entries {
		if e := &k.Index.Lines[i].Entry; quotable(e) {
			if _, known := k.target(i); known {
				return e
			}
		}
	}
	return nil
}

// The example of an index without entries.
const (
	anyQuery = "/when <trigger>"
	anyTitle = "<header title>"
)

// keepExamples updates the examples in the preamble after an edit: the query for a changed
// entry gets its new trigger, and an example for a removed entry names another one.
func keepExamples(before *check, next corpus.Corpus) (corpus.Corpus, error) {
	all := examples(next.Index)
	if len(all) == 0 {
		return next, nil
	}
	k := newCheck(&next, before.config)
	var edits []finding.Edit
	for _, x := range all {
		was, now := before.withKey(x.key), k.withKey(x.key)
		text, title := x.query.text, x.title.text
		if was != nil && now == nil {
			now = successor(before, k, was)
		}
		if now == nil && k.answer(x.key) == nil && (x.ours || x.given && was != nil) {
			if now = k.replacement(x); now == nil && !k.hasEntries() {
				text, title = anyQuery, anyTitle
			}
		}
		if now != nil {
			text = query(now)
			if k.misquotes(x, now) || was != nil && was.Title.Text == x.title.text {
				title = now.Title.Text
			}
			if k.withKey(x.key) != nil { // keep its spelling
				text = x.query.text
			}
		}
		edits = append(edits, k.rewrite(x, text, title)...)
	}
	return apply(next, edits)
}

// successor returns the entry that replaces a changed one, or nil: the only new one with its
// title, or the only new one if no other is gone.
func successor(before, after *check, was *index.Entry) *index.Entry {
	added := after.newTo(before)
	if titled := slices.DeleteFunc(slices.Clone(added), func(e *index.Entry) bool { return e.Title.Text != was.Title.Text }); len(titled) == 1 {
		added = titled
	} else if len(before.newTo(after)) != 1 {
		return nil
	}
	if len(added) != 1 || !quotable(added[0]) {
		return nil
	}
	return added[0]
}

// newTo lists the entries whose keys another memory does not have.
func (k *check) newTo(other *check) []*index.Entry {
	known := make(map[index.Key]bool, len(other.keys))
	for _, key := range other.keys {
		known[key] = true
	}
	var added []*index.Entry
	for n, i := range k.entries {
		if !known[k.keys[n]] {
			added = append(added, &k.Index.Lines[i].Entry)
		}
	}
	return added
}
