# Every target only calls tools. "make" builds; see README.md.

STATICCHECK = go run honnef.co/go/tools/cmd/staticcheck@v0.8.2

# The manual pages of the command-line library, which no program writes, cost a tenth of
# the start of each hook.
TAGS = urfave_cli_no_docs

.PHONY: build install test race lint fuzz bench eval eval-migrate eval-remember demo clean

build:
	CGO_ENABLED=0 go build -trimpath -tags $(TAGS) -o bin/ ./...

install:
	CGO_ENABLED=0 go install -trimpath -tags $(TAGS) ./...

test:
	go test ./...

race:
	go test -race -short ./...

lint:
	@test -z "$$(gofmt -s -l .)" || { gofmt -s -d .; exit 1; }
	go vet ./...
	$(STATICCHECK) ./...
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

# eval measures recall, search and derived triggers on real memories (needs
# $WHENCE_SHARED; and WHENCE_EVAL_REPOS, git repositories separated by colons, for the
# search among commits).
eval: eval-migrate eval-remember
	WHENCE_REQUIRE=shared go test ./when -run TestEvalRecall -count=1 -v

eval-migrate:
	WHENCE_REQUIRE=shared go test ./migrate -run TestEvalTriggers -count=1 -v

eval-remember:
	WHENCE_REQUIRE=shared go test ./remember -run 'TestEval(Bank|Sessions|Turns|Commits)' -count=1 -v

demo: build
	@sh examples/demo.sh "$(CURDIR)/bin"

clean:
	rm -rf bin
