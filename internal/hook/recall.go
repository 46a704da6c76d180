package hook

import (
	"context"
	"regexp"
	"strings"
	"sync"

	"whence/internal/agent"
	"whence/internal/harness"
)

// Recalls are the answers that put before an agent what applies: to a prompt, to a file
// that was read, to a command that was run or has failed. A prompt that asked answers needs
// no more; asked may be nil.
func Recalls(asked func(*Moment) Say, finders ...Finder) Answers {
	return Answers{
		agent.UserPromptSubmit: {func(ctx context.Context, m *Moment) (Say, error) {
			if asked != nil {
				if say := asked(m); say != nil {
					return say, nil
				}
			}
			return m.recall(ctx, Beginning(harness.Spoken(m.Prompt), longestPrompt), ForPrompt, finders)
		}},
		agent.PostToolUse: {func(ctx context.Context, m *Moment) (Say, error) {
			switch m.Tool {
			case "Read":
				return m.recall(ctx, Beginning(m.FromRoot(m.Path), longestCommand), ForAction, finders)
			case "Bash":
				return m.recall(ctx, Beginning(m.Command, longestCommand), ForAction, finders)
			}
			return nil, nil
		}},
		agent.PostToolUseFailure: {func(ctx context.Context, m *Moment) (Say, error) {
			return m.recall(ctx, Beginning(m.Command, longestCommand)+"\n"+essence(m.Error), ForFailure, finders)
		}},
	}
}

// How many bytes of a prompt, of a command or a path, and of an error are looked up.
const (
	longestPrompt  = 16 << 10
	longestCommand = 500
	longestError   = 2000
)

// exitCode matches the line that an agent puts before what a command has printed.
var exitCode = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A\s*Exit code \d+\s*(\n|\z)`) })

// essence is what an error says: its beginning, and its end, where long ones tell the cause.
func essence(failure string) string {
	failure = strings.TrimSpace(exitCode().ReplaceAllString(failure, ""))
	if len(failure) <= longestError {
		return failure
	}
	return Beginning(failure, longestError/2) + "\n" + strings.ToValidUTF8(failure[len(failure)-longestError/2:], "")
}

// Beginning is that of a text, so many bytes at most, with whole characters.
func Beginning(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
