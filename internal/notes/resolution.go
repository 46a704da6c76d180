package notes

import (
	"fmt"
	"slices"
	"strings"

	"whence/internal/agent"
)

// resolve records that an operation works which had failed, with the files that were
// changed meanwhile. It becomes a finding if the first change did not help.
//
// Codex does not report whether a command worked.
func (v *eventRun) resolve() error {
	if len(v.book.Failing) == 0 || v.Agent == agent.Codex {
		return nil
	}
	operation := v.operation()
	at := slices.IndexFunc(v.book.Failing, func(f failingOperation) bool { return f.Operation == operation })
	if at < 0 {
		return nil
	}
	f := v.book.Failing[at]
	v.book.Failing = slices.Delete(v.book.Failing, at, at+1)
	how := fmt.Sprintf("works after %s", attemptsText(f.Attempts))
	if len(f.Files) > 0 {
		how += "; changed meanwhile: " + strings.Join(f.Files, ", ")
	}
	src, err := v.folder.read(errorsFile)
	if err != nil {
		return err
	}
	if err := v.folder.log(src, fmt.Sprintf("[%s] Resolution: %s: %s\n", v.now.Format(timeFormat), operation, how)); err != nil {
		return err
	}
	if f.Equal < 2 || len(f.Files) == 0 {
		return nil
	}
	line := fmt.Sprintf("%s failed %d times with: %s. It works since a change of %s",
		code(operation), f.Equal, strings.TrimRight(f.Message, "."), strings.Join(f.Files, ", "))
	_, err = v.noteOnce(findingsFile, "- "+v.date()+" "+oneLine(line, maxFindingBytes))
	return err
}

// maxFindingBytes limits a line about a fix.
const maxFindingBytes = 600

func attemptsText(n int) string {
	if n == 1 {
		return "1 attempt that failed"
	}
	return fmt.Sprintf("%d attempts that failed", n)
}
