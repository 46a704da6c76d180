// Package e2e runs what is published in the real programs that it is used with:
// hook managers, agents. Where one is not installed its tests are skipped. .ci/run
// installs them, and has the tests of what it has installed fail instead.
//
// Each agent has a file: how it is started, how its model calls its tools, and the tests of it alone. What
// all do alike is tried in agents_test.go and the files beside it. driver_test.go plays a scene: it starts agents with
// a model that follows a script.
package e2e
