package shell

import "whence/internal/text"

var (
	failureWords = text.Lazy(`(?i)\b(\w*errors?|\w*exceptions?|fail(s|ed|ing|ures?)?|fatal|panic|traceback|err!|cannot|can't|could not|no such|refused|undefined|missing|unknown|invalid|unexpected)(\b|:)|` +
		`not found|denied|✗|✘`)
	noFailures = text.Lazy(`(?i)\b(0|no|zero|without) (fail(ed|ing|ures?)|errors?|problems)\b|\b(fail(ed|ing|ures?)|errors?):? +0\b`)
)

// SaysFailure reports whether an output, or a line of it, mentions a failure.
func SaysFailure(output string) bool {
	return failureWords().MatchString(noFailures().ReplaceAllString(output, ""))
}
