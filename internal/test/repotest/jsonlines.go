package repotest

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"
)

// JSONLines reads a file of JSON values, one a line. There must be some.
func JSONLines[T any](t testing.TB, path string) (all []T) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	for line := range bytes.Lines(src) {
		number++
		var next T
		if err := json.Unmarshal(line, &next); err != nil {
			t.Fatalf("%s:%d: %v", path, number, err)
		}
		all = append(all, next)
	}
	if len(all) == 0 {
		t.Fatalf("%s is empty", path)
	}
	return all
}
