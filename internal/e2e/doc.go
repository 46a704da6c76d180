// Package e2e runs what is published in the real programs that people use it with:
// hook managers, agents. They are no part of Go's world: where one is not installed its
// tests are skipped, but with WHENCE_REQUIRE=clients they fail instead. .ci/run installs
// them all.
package e2e
