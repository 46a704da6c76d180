package repotest

import (
	"bytes"
	"encoding/json"
	"fmt"
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

// Met requires that a shared case is met: problem says what is not as expected, or is "". A
// case that is refused, with a reason, must not be met, or it need not be refused.
func Met(t testing.TB, problem, refused string) {
	t.Helper()
	switch {
	case refused != "" && problem == "":
		t.Fatalf("is met, though it is refused: %s", refused)
	case refused != "":
		t.Logf("refused: %s (%s)", refused, problem)
	case problem != "":
		t.Fatal(problem)
	}
}

// Differs says what is not as expected, or "".
func Differs(want, got any) string {
	if fmt.Sprint(want) == fmt.Sprint(got) {
		return ""
	}
	return fmt.Sprintf("want %q, got %q", fmt.Sprint(want), fmt.Sprint(got))
}

// Text is a text of a JSON object, or "".
func Text(values map[string]any, key string) string {
	s, _ := values[key].(string)
	return s
}

// Number is a whole number of a JSON object, or 0.
func Number(values map[string]any, key string) int {
	f, _ := values[key].(float64)
	return int(f)
}

// Object is an object in a JSON object, or nil.
func Object(values map[string]any, key string) map[string]any {
	m, _ := values[key].(map[string]any)
	return m
}
