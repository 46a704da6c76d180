// Package lazyregexp compiles regular expressions when they are first used.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// New returns a function that compiles a regular expression on its first call: most runs use only a few. In a
// test, New compiles it immediately, so that every invalid source panics.
func New(source string) func() *regexp.Regexp {
	compile := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
	if isTest {
		compile()
	}
	return compile
}

var isTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")
