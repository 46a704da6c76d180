// Package e2e runs what is published in the real programs that it is used with:
// hook managers, agents. Where one is not installed its tests are skipped; with
// WHENCE_REQUIRE=clients they fail instead. .ci/run installs
// them all.
//
// A team's store is tried here as well, through the programs of this module, on a PostgreSQL
// server of the tests; where none can be started those are skipped, but with
// WHENCE_REQUIRE=postgres. With WHENCE_LONG=1 they go on for longer.
package e2e
