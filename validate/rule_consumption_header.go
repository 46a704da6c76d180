package validate

import (
	"regexp"
	"slices"
	"strings"

	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/text"
)

// passive matches an instruction to read the index instead of looking entries up, reading one to read the
// decision files; denied matches words that negate them.
var (
	passive = text.Lazy(`(?i)\bscan\b[^.!?|/]{0,150}\bmentally\b|\bmentally\s+scan\b`)
	reading = text.Lazy(`(?i)\bread(?:\s+the)?\s+referenced\s+files?\b`)
	denied  = text.Lazy(`(?i)\b(?:not|never|no|without|instead of|rather than|don't|won't|can't)\b`)
)

// maxSentenceBytes bounds the sentences that are replaced: longer ones say more.
const maxSentenceBytes = 300

// invocation matches the command that a reader should run.
var invocation = text.Lazy(`(?:^|[^\w/.~-])/(?:when|how)(?:[\s<\x60'")\],;:!?]|\.?(?:\s|$))`)

const scanMessage = "the preamble asks readers to scan the index, which agents don't do: "

// consumptionHeader reports an index whose preamble does not say how to look up an entry, or
// asks readers to scan it. In 200 measured sessions, a preamble that asks agents
// to scan the index led to no look-up. An index without entries needs no guidance.
func consumptionHeader(k *check, report func(finding.Finding)) {
	if !k.hasEntries() {
		return
	}
	span := k.Index.Preamble()
	invoked := invocation().MatchString(string(k.Index.Source[span.Start:span.End]))
	fix := &finding.Fix{}
	last := -1 // line of the last sentence that is replaced
	for i, line := range k.Index.Lines {
		if line.Section >= 0 || line.Opaque {
			continue
		}
		for _, s := range sentences(passive(), k.Index.Text(line)) {
			at := index.Span{Start: line.Start + s.Start, End: line.Start + s.End}
			text := string(k.Index.Source[at.Start:at.End])
			if len(text) > maxSentenceBytes {
				report(k.atOffset(i, at.Start, "%s", scanMessage+"replace this with a /when instruction"))
				continue
			}
			f := k.atOffset(i, at.Start, "%s", scanMessage+"--fix replaces this with a /when instruction")
			f.Fix, last = fix, i
			fix.Edits = append(fix.Edits, k.edit(at, activeSentence))
			fix.Removed = append(fix.Removed, text)
			report(f)
		}
	}
	k.reportWrappedInstructions(span, report)
	if invoked && last < 0 {
		return
	}
	k.removeReading(span, fix)
	if invoked {
		return
	}
	if last < 0 {
		f := k.atLine(0, "the preamble does not say how to look up an entry with /when: --fix adds that")
		f.Fix = fix
		report(f)
	}
	fix.Edits = append(fix.Edits, k.guidanceEdit(span, last))
}

// removeReading extends a fix of the preamble: sentences that ask readers to read the decision files would
// contradict the instruction to run /when.
func (k *check) removeReading(preamble index.Span, fix *finding.Fix) {
	for _, line := range k.Index.Lines {
		if line.Start >= preamble.End || line.Opaque {
			continue
		}
		text := k.Index.Text(line)
		for _, s := range sentences(reading(), text) {
			found := text[s.Start:s.End]
			if len(found) > maxSentenceBytes || passive().MatchString(found) {
				continue
			}
			start := len(strings.TrimRight(text[:s.Start], " \t"))
			fix.Edits = append(fix.Edits, k.edit(index.Span{Start: line.Start + start, End: line.Start + s.End}, ""))
			fix.Removed = append(fix.Removed, found)
		}
	}
}

// reportWrappedInstructions reports instructions to scan that span two lines. They have no fix: where
// such a sentence begins and ends is uncertain.
func (k *check) reportWrappedInstructions(preamble index.Span, report func(finding.Finding)) {
	for i := 0; i+1 < len(k.Index.Lines) && k.Index.Lines[i+1].Start < preamble.End; i++ {
		line, next := k.Index.Lines[i], k.Index.Lines[i+1]
		if line.Opaque || next.Opaque || k.blank(i) || k.blank(i+1) {
			continue
		}
		first := k.Index.Text(line)
		for _, s := range sentences(passive(), first+" "+k.Index.Text(next)) {
			if s.Start < len(first) && s.End > len(first)+1 && len(sentences(passive(), first)) == 0 && len(sentences(passive(), k.Index.Text(next))) == 0 {
				report(k.atOffset(i, line.Start+s.Start, "%s", scanMessage+"replace this with a /when instruction"))
			}
		}
	}
}

func (k *check) hasEntries() bool {
	return slices.ContainsFunc(k.Index.Lines, isEntry)
}

// activeSentence replaces an instruction to scan.
const activeSentence = "When you need to know what was decided about a topic, run `/when <trigger>` with the trigger of its entry."

// guidance returns the usage lines of a preamble, without line ends: how to look up one
// entry, several, a section or a file.
func guidance(withActiveSentence bool) []string {
	var lines []string
	if withActiveSentence {
		lines = append(lines, activeSentence, "")
	}
	return append(lines,
		"Several at once: `/when` followed by one `- <trigger>` line each.",
		"",
		"More than an entry:",
		"- `/when § .<Section Title>` prints a section with all of its entries",
		"- `/when § <file>.md` prints a decision file with all of its entries",
	)
}

// indexTitle heads an index that has no preamble yet.
const indexTitle = "# Memory Index"

// guidanceEdit adds the guidance after the paragraph of the replaced sentence, or else
// after the last line of the preamble that is not blank. An index without a preamble
// also gets a title.
func (k *check) guidanceEdit(span index.Span, replaced int) finding.Edit {
	eol := k.Index.LineEnd()
	text := strings.Join(guidance(replaced < 0), eol) + eol
	last := replaced
	for i, line := range k.Index.Lines {
		if i > last && line.Start < span.End && !k.blank(i) && (replaced < 0 || i == last+1) {
			last = i
		}
	}
	offset := span.Start
	if last >= 0 {
		offset = k.Index.Lines[last].Next
		text = eol + text
	} else {
		text = indexTitle + eol + eol + text
	}
	if offset == span.End && offset < len(k.Index.Source) { // a section follows directly
		text += eol
	}
	return k.edit(index.Span{Start: offset, End: offset}, text)
}

func (k *check) blank(i int) bool {
	return strings.TrimSpace(k.Index.Text(k.Index.Lines[i])) == ""
}

// sentences finds the sentences of a line that match, and are not negated.
func sentences(pattern *regexp.Regexp, line string) []index.Span {
	var found []index.Span
	for at := 0; at < len(line); {
		match := pattern.FindStringIndex(line[at:])
		if match == nil {
			break
		}
		s := sentence(line, at+match[0], at+match[1])
		if !denied().MatchString(line[s.Start : at+match[1]]) {
			found = append(found, s)
		}
		at = max(s.End, at+match[1])
	}
	return found
}

// sentence returns the span of the sentence around a match in a line, without list or
// quote markers.
func sentence(line string, start, end int) index.Span {
	from := 0
	if stops := stop().FindAllStringIndex(line[:start], -1); len(stops) > 0 {
		from = stops[len(stops)-1][1]
	} else {
		from = start - len(strings.TrimLeft(line[:start], "#>*-_+ \t"))
	}
	to := len(strings.TrimRight(line, " \t"))
	if next := stop().FindStringIndex(line[end:]); next != nil {
		to = end + next[0] + 1
	}
	return index.Span{Start: from, End: to}
}

// stop matches the end of a sentence.
var stop = text.Lazy(`[.!?](?:\s+|$)`)
