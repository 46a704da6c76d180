package validate

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNameIn(t *testing.T) {
	for text, want := range map[string]string{
		"Open": "Open", "store.Open(path, 3)": "Open", "(*store.DB).Open": "Open", "std::map::at()": "", "Memory::read_all": "read_all", "p->next": "next",
		"--lock-timeout": "lock-timeout", "_private": "_private", "[]string": "", "größe": "größe", "Handler[T]": "Handler", "WHENCE_HOME": "WHENCE_HOME",
		"": "", "ab": "", "1.20rc": "", "git log": "", "a/b.go": "", "x=y": "", "*.md": "", "schema:": "", "(": "", "---": "", "...": "", "Größe.": "",
	} {
		require.Equal(t, want, nameIn(text), text)
	}
}
