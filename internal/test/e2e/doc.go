// Package e2e runs what is published in the real programs that it is used with:
// hook managers, agents. Where one is not installed its tests are skipped; with
// WHENCE_REQUIRE=clients they fail instead. .ci/run installs
// them all.
package e2e
