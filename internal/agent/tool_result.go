package agent

import (
	"slices"
	"strings"
)

// RefusedTool reports whether a result says that the user refused the tool, and returns the user's reason, if any.
func RefusedTool(result string) (reason string, refused bool) {
	result = strings.TrimSpace(result)
	if strings.HasPrefix(result, interruptMark) {
		return "", true
	}
	if !strings.HasPrefix(result, "The user doesn't want to ") {
		return "", false
	}
	for _, before := range []string{"the following reason for the rejection:", "the user said:"} {
		if _, reason, ok := strings.Cut(result, before); ok {
			reason, _, _ = strings.Cut(reason, "\n\nNote: The user's next message may contain")
			return strings.TrimSpace(reason), true
		}
	}
	return "", true
}

// misuse lists the beginnings of failures of tools that were used wrongly or without permission.
var misuse = []string{
	"<tool_use_error>", "InputValidationError", "Claude requested permissions", "This Bash command contains multiple operations",
	"The user doesn't want to", "Permission to use ", "File has not been read yet", "String to replace not found",
}

// IsToolMisuse reports whether the agent caused a failure by using a tool wrongly or without permission. Such a
// failure teaches nothing.
func IsToolMisuse(failure string) bool {
	failure = strings.TrimSpace(failure)
	first, _, _ := strings.Cut(failure, "\n")
	return hasAnyPrefix(failure, misuse) || strings.Contains(failure, "requires approval") || strings.Contains(first, "was blocked. For security") ||
		strings.HasPrefix(first, "Found ") && strings.Contains(first, "of the string to replace")
}

func hasAnyPrefix(text string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(text, prefix) })
}

// ToolOutput returns the output of a failed tool, trimmed, without the agent's first line with the exit status.
func ToolOutput(failure string) string {
	text := strings.TrimSpace(failure)
	first, rest, _ := strings.Cut(text, "\n")
	code, found := strings.CutPrefix(strings.TrimSpace(first), "Exit code ")
	if !found || code == "" || strings.Trim(code, "0123456789") != "" {
		return text
	}
	return strings.TrimSpace(rest)
}

// ToolAnswers returns the user's answers to the agent's questions, each with its question; "" for other results.
func ToolAnswers(result string) string {
	const before = "answered your questions:"
	begin, answers, ok := strings.Cut(strings.TrimSpace(result), before)
	if !ok || begin != "User has " && begin != "The user has " {
		return ""
	}
	answers, _, _ = strings.Cut(answers, "You can now continue")
	return strings.TrimRight(strings.TrimSpace(answers), ". ")
}
