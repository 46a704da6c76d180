package usertext

import "strings"

// Refused tells whether the result of a tool is that the user did not want it, and the
// reason, if one was given.
func Refused(result string) (reason string, refused bool) {
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

// How failures begin in which a tool was used wrongly, or not allowed.
var misuse = []string{
	"<tool_use_error>", "InputValidationError", "Claude requested permissions", "This Bash command contains multiple operations",
	"The user doesn't want to", "Permission to use ", "File has not been read yet", "String to replace not found",
}

// IsMisuse tells whether a failure is the agent's own doing: a tool that was used
// wrongly, a permission that is lacking. Nothing was learned from the like of it.
func IsMisuse(failure string) bool {
	failure = strings.TrimSpace(failure)
	for _, begin := range misuse {
		if strings.HasPrefix(failure, begin) {
			return true
		}
	}
	first, _, _ := strings.Cut(failure, "\n")
	return strings.Contains(failure, "requires approval") || strings.Contains(first, "was blocked. For security") ||
		strings.HasPrefix(first, "Found ") && strings.Contains(first, "of the string to replace")
}

// Output is what a tool that has failed has said, without the line by which an agent tells
// the exit status, and without blanks around it.
func Output(failure string) string {
	text := strings.TrimSpace(failure)
	first, rest, _ := strings.Cut(text, "\n")
	code, told := strings.CutPrefix(strings.TrimSpace(first), "Exit code ")
	if !told || code == "" || strings.Trim(code, "0123456789") != "" {
		return text
	}
	return strings.TrimSpace(rest)
}

// Answers are what the user has chosen when the agent had asked, each with its question;
// "" if a result is none.
func Answers(result string) string {
	const before = "answered your questions:"
	begin, answers, ok := strings.Cut(strings.TrimSpace(result), before)
	if !ok || begin != "User has " && begin != "The user has " {
		return ""
	}
	answers, _, _ = strings.Cut(answers, "You can now continue")
	return strings.TrimRight(strings.TrimSpace(answers), ". ")
}
