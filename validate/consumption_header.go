package validate

import (
	"fmt"
	"strings"

	"whence/internal/finding"
	"whence/internal/index"
)

// The preamble is what a reader of the index sees first. Measured over 200
// sessions, a preamble that tells an agent to scan the index and open files led to
// no look-up at all; one that names the command to run at least can be followed.

// passive is an instruction to read the index instead of looking entries up.
var passive = lazy(`(?i)\bscan\b[^.!?|/]{0,150}\bmentally\b|\bmentally\s+scan\b`)

// invocation is the command that a reader is to run.
var invocation = lazy(`(?:^|[^\w/.~-])/(?:when|how)\b`)

// consumptionHeader reports an index whose preamble does not tell how to look an
// entry up, or still tells to scan it. An index without entries needs no guidance.
func consumptionHeader(k *check) []finding.Finding {
	if !k.hasEntries() {
		return nil
	}
	span := k.Index.Preamble()
	preamble := string(k.Index.Source[span.Start:span.End])
	sentences := passiveSentences(preamble)
	invoked := invocation().MatchString(preamble)
	if invoked && len(sentences) == 0 {
		return nil
	}
	fix := &finding.Fix{}
	var found []finding.Finding
	for _, s := range sentences {
		at := span.Start + s.Start
		i := k.lineAt(at)
		f := k.atOffset(i, at, "the preamble tells to scan the index mentally, which no agent does: --fix tells to run /when instead")
		f.Fix = fix
		found = append(found, f)
		fix.Edits = append(fix.Edits, k.edit(index.Span{Start: at, End: span.Start + s.End}, activeSentence))
	}
	if !invoked {
		if len(found) == 0 {
			f := k.atLine(0, "the preamble does not tell how to look an entry up with /when: --fix adds that")
			f.Fix = fix
			found = append(found, f)
		}
		fix.Edits = append(fix.Edits, k.guidanceEdit(span, sentences))
	}
	return found
}

func (k *check) hasEntries() bool {
	for i := range k.Index.Lines {
		if k.isEntry(i) {
			return true
		}
	}
	return false
}

// activeSentence takes the place of an instruction to scan.
const activeSentence = "When you need to know what was decided about a topic, run `/when <trigger>` with the trigger of its entry."

// Guidance is what the preamble tells a reader, as lines without line ends: how
// to look an entry up, several at once, and a whole section or file. The example
// is an entry of the index itself.
func Guidance(example index.Entry, withActiveSentence bool) []string {
	operator := example.Operator
	if !index.IsOperator(operator) {
		operator = "when"
	}
	var lines []string
	if withActiveSentence {
		lines = append(lines, activeSentence)
	}
	return append(lines,
		fmt.Sprintf("Example: `/%s %s` prints \"%s\" and names the entries beside it.", operator, index.NormalizeTrigger(example.Trigger.Text), example.Title.Text),
		"",
		"Several at once: `/when` followed by one `- <trigger>` line each.",
		"",
		"More than an entry:",
		"- `/when § .<Section Title>` prints a section with all of its entries",
		"- `/when § <file>.md` prints a decision file with all of its entries",
	)
}

// guidanceEdit adds the guidance behind the paragraph of the last replaced
// sentence, or else at the end of the preamble, before the blank lines that end it.
func (k *check) guidanceEdit(span index.Span, replaced []index.Span) finding.Edit {
	eol := k.Index.LineEnd()
	text := strings.Join(Guidance(k.example(), len(replaced) == 0), eol) + eol
	last := k.lastFilled(span)
	if len(replaced) > 0 {
		last = k.paragraphEnd(span, span.Start+replaced[len(replaced)-1].Start)
	}
	offset := span.Start
	if last >= 0 {
		offset = k.Index.Lines[last].Next
		text = eol + text
	}
	if offset == span.End && offset < len(k.Index.Source) { // a section follows at once
		text += eol
	}
	return k.edit(index.Span{Start: offset, End: offset}, text)
}

// lastFilled is the last line of the preamble that is not blank, or -1.
func (k *check) lastFilled(preamble index.Span) int {
	last := -1
	for i, line := range k.Index.Lines {
		if line.Start < preamble.End && !k.blank(i) {
			last = i
		}
	}
	return last
}

// paragraphEnd is the last line of the paragraph that holds an offset.
func (k *check) paragraphEnd(preamble index.Span, offset int) int {
	i := k.lineAt(offset)
	for i+1 < len(k.Index.Lines) && k.Index.Lines[i+1].Start < preamble.End && !k.blank(i+1) {
		i++
	}
	return i
}

func (k *check) blank(i int) bool {
	return strings.TrimSpace(k.Index.Text(k.Index.Lines[i])) == ""
}

// example is the first well-formed entry, or a made-up one.
func (k *check) example() index.Entry {
	for _, i := range k.entries {
		return k.Index.Lines[i].Entry
	}
	return index.Entry{
		Operator: "when",
		Trigger:  index.Field{Text: "writing mock tests"},
		Title:    index.Field{Text: "Mock patching pattern"},
	}
}

// passiveSentences finds the sentences that tell to scan the index mentally.
func passiveSentences(text string) []index.Span {
	var found []index.Span
	for at := 0; at < len(text); {
		match := passive().FindStringIndex(text[at:])
		if match == nil {
			break
		}
		s := index.Span{Start: sentenceStart(text, at+match[0]), End: sentenceEnd(text, at+match[1])}
		if line := text[lineStart(text, s.Start):]; !strings.HasPrefix(strings.TrimLeft(line, " \t"), "/") {
			s.Start = max(s.Start, at)
			found = append(found, s)
		}
		at = max(s.End, at+match[1])
	}
	return found
}

// sentenceLines is over how many lines a sentence may run on each side. What is
// longer is a list without full stops, and none of that must be lost.
const sentenceLines = 2

// sentenceStart is where the sentence begins that holds an offset: behind the last
// full stop, question or exclamation mark before white space, else with its line;
// or with a line above, if those run on as prose.
func sentenceStart(text string, offset int) int {
	cut := max(0, offset-sentenceBytes)
	start := startWithin(text[cut:], offset-cut)
	if cut > 0 && start == 0 { // no end of a sentence that near
		return offset
	}
	return cut + start
}

// sentenceBytes is how far a sentence is looked for on each side.
const sentenceBytes = 600

func startWithin(text string, offset int) int {
	start := lineStart(text, offset)
	for range sentenceLines {
		if at := lastStop(text[start:offset]); at > 0 {
			return start + at
		}
		if start == 0 || !runsOn(text[lineStart(text, start-1):start], text[start:]) {
			break
		}
		start = lineStart(text, start-1)
	}
	if at := lastStop(text[start:offset]); at > 0 {
		return start + at
	}
	return start + len(text[start:offset]) - len(strings.TrimLeft(text[start:offset], "#>*-_+ \t"))
}

// sentenceEnd is where the sentence ends that holds an offset.
func sentenceEnd(text string, offset int) int {
	cut := min(len(text), offset+sentenceBytes)
	if end := endWithin(text[:cut], offset); cut == len(text) || end < cut {
		return end
	}
	return offset
}

func endWithin(text string, offset int) int {
	end := lineEnd(text, offset)
	for range sentenceLines {
		if at := firstStop(text[offset:end]); at > 0 {
			return offset + at
		}
		if end == len(text) || !runsOn(text[lineStart(text, end):end], text[end+1:]) {
			break
		}
		end = lineEnd(text, end+1)
	}
	if at := firstStop(text[offset:end]); at > 0 {
		return offset + at
	}
	return offset + len(strings.TrimRight(text[offset:end], " \t\r"))
}

// runsOn tells whether a sentence may run from one line to the next.
func runsOn(line, next string) bool {
	next, _, _ = strings.Cut(next, "\n")
	return prose().MatchString(strings.TrimSpace(line)) && prose().MatchString(strings.TrimSpace(next)) && !beginsBlock().MatchString(next)
}

// prose is a line that is no entry of any format; beginsBlock one that begins a
// heading, a list item, a quote or bold text.
var (
	prose       = lazy(`^[^/|—]+$`)
	beginsBlock = lazy(`^\s*(?:[#>*+_-]|[0-9]+[.)]\s)`)
)

// stop ends a sentence.
var stop = lazy(`[.!?](?:\s+|$)`)

// lastStop is the offset behind the last stop of a text, or 0.
func lastStop(text string) int {
	all := stop().FindAllStringIndex(text, -1)
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1][1]
}

// firstStop is the offset behind the mark of the first stop of a text, or 0.
func firstStop(text string) int {
	if at := stop().FindStringIndex(text); at != nil {
		return at[0] + 1
	}
	return 0
}

func lineStart(text string, offset int) int { return strings.LastIndexByte(text[:offset], '\n') + 1 }

func lineEnd(text string, offset int) int {
	if i := strings.IndexByte(text[offset:], '\n'); i >= 0 {
		return offset + i
	}
	return len(text)
}

// lineAt is the index of the line that holds an offset.
func (k *check) lineAt(offset int) int {
	for i, line := range k.Index.Lines {
		if offset < line.Next {
			return i
		}
	}
	return len(k.Index.Lines) - 1
}
