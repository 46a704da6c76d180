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
	replaced := false
	for i, line := range k.Index.Lines {
		if line.Section >= 0 || line.Opaque {
			continue
		}
		text := k.Index.Text(line)
		scans := sentences(passive(), text)
		for _, s := range scans {
			f := k.atOffset(i, line.Start+s.Start, "the preamble asks readers to scan the index, which agents don't do: --fix replaces this with a /when instruction")
			f.Fix, replaced = fix, true
			fix.Edits = append(fix.Edits, k.edit(index.Span{Start: line.Start + s.Start, End: line.Start + s.End}, activeSentence))
			fix.Removed = append(fix.Removed, text[s.Start:s.End])
			report(f)
		}
		if invoked {
			continue
		}
		for _, s := range sentences(reading(), text) { // would contradict the instruction to run /when
			if slices.Contains(scans, s) {
				continue
			}
			start := len(strings.TrimRight(text[:s.Start], " \t"))
			fix.Edits = append(fix.Edits, k.edit(index.Span{Start: line.Start + start, End: line.Start + s.End}, ""))
			fix.Removed = append(fix.Removed, text[s.Start:s.End])
		}
	}
	if invoked {
		return
	}
	if !replaced {
		f := k.atLine(0, "the preamble does not say how to look up an entry with /when: --fix adds that")
		f.Fix = fix
		report(f)
	}
	fix.Edits = append(fix.Edits, k.guidanceEdit(span, !replaced))
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

// guidanceEdit adds the guidance after the last line of the preamble that is not blank. An index without
// a preamble also gets a title.
func (k *check) guidanceEdit(span index.Span, withActiveSentence bool) finding.Edit {
	eol := k.Index.LineEnd()
	text := strings.Join(guidance(withActiveSentence), eol) + eol
	last := -1
	for i, line := range k.Index.Lines {
		if line.Start < span.End && !k.blank(i) {
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

// sentences finds the sentences of a line that match, and are neither negated nor long.
func sentences(pattern *regexp.Regexp, line string) []index.Span {
	var found []index.Span
	for at := 0; at < len(line); {
		match := pattern.FindStringIndex(line[at:])
		if match == nil {
			break
		}
		s := sentence(line, at+match[0], at+match[1])
		if s.End-s.Start <= maxSentenceBytes && !denied().MatchString(line[s.Start:at+match[1]]) {
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
