package e2e_test

// The tests run programs that go build makes. With these imports, go test runs them again when a
// program has changed, and does not take a result from its cache.
import (
	_ "whence/hooks"
	_ "whence/remember/mcp"
)
