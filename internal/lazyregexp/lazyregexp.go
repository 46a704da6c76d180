// Package lazyregexp compiles regular expressions when they are first used.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a regular expression that is compiled when it is first used: most runs use only a few.
func New(source string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
}
