package text

import (
	"regexp"
	"sync"
)

// Lazy returns a regular expression that is compiled when it is first used: a program needs few of those
// that it has.
func Lazy(source string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
}
