# Every target only calls tools. "make" builds; see README.md.

STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
ACTIONLINT = go run github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

GORELEASER = github.com/goreleaser/goreleaser/v2@v2.16.0
CYCLONEDX = github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

# The command-line library also writes man pages, which no program uses. Its Markdown parser for
# them would take a third of a millisecond at every start.
TAGS = urfave_cli_no_docs

.PHONY: build install test race lint fuzz bench bench-process eval eval-record eval-fit demo recording snapshot release-tools clean

build:
	CGO_ENABLED=0 go build -trimpath -tags $(TAGS) -o bin/ ./...

install:
	@echo 'building five programs: the first time, that takes minutes'
	CGO_ENABLED=0 go install -trimpath -tags $(TAGS) ./...

# test begins with the packages that take longest, and shows at its end which tests were
# skipped, and why.
test:
	@{ go test -v -timeout 45m $$(go list ./... | grep -E '/(e2e|hooks|store|remember)$$') ./...; echo "exit $$?"; } | awk -f .ci/summary.awk

# race runs the tests in which goroutines meet under the race detector.
race:
	.ci/race

lint:
	@test -z "$$(gofmt -s -l .)" || { gofmt -s -d .; exit 1; }
	go vet ./...
	$(STATICCHECK) ./...
	$(ACTIONLINT)
	GOOS=darwin go vet ./...
	GOOS=windows go vet ./...
	go mod tidy -diff

# fuzz runs every fuzz target for FUZZTIME.
FUZZTIME = 20s
fuzz:
	@for target in $$(grep -rl --include='*_test.go' '^func Fuzz' . | xargs grep -oH '^func Fuzz[A-Za-z0-9]*' | sed 's/:func /:/'); do \
		go test "$$(dirname "$${target%%:*}")" -run '^$$' -fuzz "^$${target##*:}$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x || exit 1; \
	done

bench:
	go test -run '^$$' -bench . -benchmem ./...

# bench-process measures whole processes, and fails where one is over its budget in .ci/budgets.tsv.
bench-process:
	.ci/bench-process

# eval measures recall and search on real memories (those of
# $WHENCE_SHARED), and fails where a figure is worse than in
# internal/test/eval/figures.tsv; eval-record writes that file. What cannot be run is skipped,
# with the reason.
eval:
	WHENCE_LONG=1 go test ./internal/test/eval -run TestEvaluations -count=1 -v

# eval-fit fits the gate of recall, and writes internal/rank/gate_coefficients.go.
eval-fit:
	go test ./internal/test/eval -run TestFitGate -count=1 -fit

eval-record:
	WHENCE_LONG=1 go test ./internal/test/eval -run TestEvaluations -count=1 -v -record

demo: build
	@sh examples/demo.sh "$(CURDIR)/bin"

# recording writes the pictures of the documentation: a terminal, and the report as chromium draws it.
recording: build
	.ci/recording bin >docs/recording.svg
	WHENCE_PICTURES=$(CURDIR)/docs go test ./hooks -run TestPictureOfTheReport -count=1

# snapshot builds what a release publishes into dist/: archives, packages for Linux and npm, a
# Homebrew cask, a Scoop manifest, an SBOM and checksums.
snapshot: release-tools
	PATH=$(CURDIR)/bin/tools:$$PATH WHENCE_VERSION=$$(.ci/version) goreleaser release --snapshot --clean
	.ci/npm-packages

# release-tools compiles goreleaser and what it calls, which takes minutes the first time.
release-tools:
	CGO_ENABLED=0 GOBIN=$(CURDIR)/bin/tools go install $(GORELEASER)
	CGO_ENABLED=0 GOBIN=$(CURDIR)/bin/tools go install $(CYCLONEDX)

clean:
	rm -rf bin dist
