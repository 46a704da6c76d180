package validate

import (
	"whence/internal/finding"
	"whence/internal/index"
	"whence/internal/lazyregexp"
)

const entryForm = "/when <trigger> | <header title> | <description>"

// likeEntry matches a line that is not an entry but seems meant as one: an item of a list, or one with a mark after its
// operator.
var likeEntry = lazyregexp.New(`^\s*(?:[-*+]\s+)?/(?:when|how)\b.*\|.*\|`)

// entrySyntax reports malformed entries.
func entrySyntax(a *audit, report func(finding.Finding)) {
	for i, line := range a.Index.Lines {
		if line.Kind == index.Foreign && !line.Opaque && likeEntry().MatchString(a.Index.Text(line)) {
			report(a.atLine(i, "looks like an entry: write it as %q, from the beginning of the line", entryForm))
		}
		if line.Kind == index.Malformed {
			report(syntaxFinding(a, i, line))
		}
	}
}

func syntaxFinding(a *audit, i int, line index.Line) finding.Finding {
	switch line.Problem {
	case index.LegacyDash:
		return a.atLine(i, "entry in the old format \"Key — description\": run \"%s\", or write %q", a.config.Typed.Command("memory-migrate --write"), entryForm)
	case index.MissingOperator:
		return a.atLine(i, "entry without operator: begin the line with /when")
	case index.UnknownOperator:
		return a.atLine(i, "unknown operator /%s: an entry begins with /when (or /how)", line.Entry.Operator)
	case index.EmptyTrigger:
		return a.atOffset(i, line.Entry.Trigger.Start, "empty trigger: write what an agent is doing when the decision applies")
	case index.EmptyTitle:
		return a.atOffset(i, line.Entry.Title.Start, "empty header title: write the title of the heading that the entry leads to")
	case index.EmptyDescription:
		return a.atOffset(i, line.Entry.Description.Start, "empty description: add the words that an agent would look for")
	}
	return a.atLine(i, "entry with %d of 3 fields: write %q, with a space on both sides of each pipe", line.Entry.Fields, entryForm)
}
