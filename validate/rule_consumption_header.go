package validate

import (
	"slices"
	"strings"

	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/lazyregexp"
)

// passive matches an instruction to read the index instead of looking entries up; denied matches words that negate it.
var (
	passive = lazyregexp.New(`(?i)\bscan\b[^.!?|/]{0,150}\bmentally\b|\bmentally\s+scan\b`)
	denied  = lazyregexp.New(`(?i)\b(?:not|never|no|without|instead of|rather than|don't|won't|can't)\b`)
)

// maxSentenceBytes bounds the sentences that are replaced: longer ones say more.
const maxSentenceBytes = 300

// invocation matches the command that a reader should run.
var invocation = lazyregexp.New(`(?:^|[^\w/.~-])/(?:when|how)(?:[\s<\x60'")\],;:!?]|\.?(?:\s|$))`)

// consumptionHeader reports an index whose preamble does not say how to look up an entry, or
// asks readers to scan it. In 200 measured sessions, a preamble that asks agents
// to scan the index led to no look-up. An index without entries needs no guidance.
func consumptionHeader(a *audit, report func(finding.Finding)) {
	if !a.hasEntries() {
		return
	}
	span := a.Index.Preamble()
	invoked := invocation().Match(a.Index.Source[span.Start:span.End])
	fix := &finding.Fix{}
	replaced := false
	for i, line := range a.Index.Lines {
		if line.Section >= 0 || line.Opaque {
			continue
		}
		for _, s := range sentences(a.Index.Text(line)) {
			start, end := line.Start+s.Start, line.Start+s.End
			sentence := string(a.Index.Source[start:end])
			if len(sentence) > maxSentenceBytes || denied().MatchString(sentence) || !passive().MatchString(sentence) {
				continue
			}
			f := a.atOffset(i, start, "the preamble asks readers to scan the index, which agents don't do: --fix replaces this with a /when instruction")
			f.Fix, replaced = fix, true
			fix.Edits = append(fix.Edits, a.edit(index.Span{Start: start, End: end}, activeSentence))
			fix.Removed = append(fix.Removed, sentence)
			report(f)
		}
	}
	if invoked {
		return
	}
	if !replaced {
		f := a.atLine(0, "the preamble does not say how to look up an entry with /when: --fix adds that")
		f.Fix = fix
		report(f)
	}
	fix.Edits = append(fix.Edits, a.guidanceEdit(span, !replaced))
}

func (a *audit) hasEntries() bool {
	return slices.ContainsFunc(a.Index.Lines, isEntry)
}

// activeSentence replaces an instruction to scan. It and the guidance are in the words of the project's specification.
const activeSentence = "When you need knowledge about a topic, invoke `/when <trigger>` to retrieve the full decision content."

// guidance says how to look up several entries, a section or a file. For readers without the program, it also says what
// these lines are and which program answers.
const guidance = "Batching: `/when` followed by one `- <trigger>` line each retrieves multiple sections efficiently.\n" +
	"\n" +
	"Navigation (§ operator):\n" +
	"- Entry-level: `/when <trigger>` → single section + sibling entries\n" +
	"- Section-level: `/when § .<Section Title>` → full H2 section + all child entries\n" +
	"- File-level: `/when § <file>.md` → entire decision file + all entries\n" +
	"\n" +
	"Each line below leads to a decision of this project. The program memory-when of whence answers: `memory-when '<trigger>'`.\n"

// guidanceEdit adds the guidance after the last line of the preamble that is not blank. An index without
// a preamble also gets a title.
func (a *audit) guidanceEdit(span index.Span, withActiveSentence bool) finding.Edit {
	text, offset := guidance, span.Start
	if example := exampleOf(a.Index); example != "" {
		text = example + "\n\n" + text
	}
	if withActiveSentence {
		text = activeSentence + "\n" + text
	}
	for i, line := range a.Index.Lines {
		if line.Start < span.End && !a.blank(i) {
			offset = line.Next
		}
	}
	if offset > span.Start {
		text = "\n" + text
	} else {
		text = "# Memory Index\n\n" + text
	}
	if offset == span.End && offset < len(a.Index.Source) { // a section follows directly
		text += "\n"
	}
	return a.edit(index.Span{Start: offset, End: offset}, strings.ReplaceAll(text, "\n", a.Index.LineEnd()))
}

func (a *audit) blank(i int) bool {
	return strings.TrimSpace(a.Index.Text(a.Index.Lines[i])) == ""
}

// stop matches the end of a sentence.
var stop = lazyregexp.New(`[.!?](?:\s+|$)`)

// markers are the characters that begin a heading, a list item or a quote, or mark emphasis.
const markers = "#>*-_+ \t"

// sentences returns the spans of the sentences in a line, without list or quote markers.
func sentences(line string) (found []index.Span) {
	start := len(line) - len(strings.TrimLeft(line, markers))
	for _, end := range stop().FindAllStringIndex(line, -1) {
		found = append(found, index.Span{Start: start, End: max(start, end[0]+1)})
		start = max(start, end[1])
	}
	return append(found, index.Span{Start: start, End: max(start, len(strings.TrimRight(line, " \t")))})
}
