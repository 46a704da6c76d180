// Package lazyregexp compiles regular expressions when they are first used.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// New returns a regular expression that is compiled when it is first used: most runs use only a few.
func New(source string) func() *regexp.Regexp {
	compile := sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(source) })
	if isTest { // no faulty one is found late
		compile()
	}
	return compile
}

var isTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")
