package repo

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Commit is a commit that says what was done, and perhaps why.
type Commit struct {
	Hash    string
	Author  string // a name
	At      time.Time
	Subject string
	Body    string // without trailers
	Tagged  bool
}

// History returns the hashes of the newest commits of HEAD, without merges, the newest first. It returns none before
// the first commit.
func (r *Repository) History(ctx context.Context, maxCommits int) (hashes []string, err error) {
	out, err := r.read(ctx, "rev-list", "--no-merges", "--max-count="+strconv.Itoa(maxCommits), "HEAD", "--")
	if exitedWith(err, statusFatal) {
		return nil, nil
	}
	return strings.Fields(string(out)), err
}

// statusFatal is the exit status of git if a revision does not exist.
const statusFatal = 128

// Messages returns the commits with some hashes, in that order. It returns none if git fails, because the messages are too
// large together or a commit does not exist. That is not an error, unless the context has ended.
func (r *Repository) Messages(ctx context.Context, hashes []string) (commits []Commit, err error) {
	out, err := r.answer(ctx, []byte(strings.Join(hashes, "\n")+"\n"), "log", "--stdin", "--no-walk=unsorted", "-z", "--encoding=UTF-8",
		"--format=tformat:%H%x00%an%x00%at%x00%D%x00%s%x00%(trailers)%x00%b", "--no-show-signature", "--diff-merges=off")
	if err != nil {
		return nil, ctx.Err()
	}
	return parseMessages(out)
}

// MessagesSince returns the messages of at most 100 commits since a commit, the newest first, without those of merges.
func (r *Repository) MessagesSince(ctx context.Context, commit string) (string, error) {
	out, err := r.read(ctx, "log", "--no-merges", "--max-count=100", "--encoding=UTF-8", "--format=%B", "--no-show-signature", "--diff-merges=off", commit+"..HEAD", "--")
	return string(out), err
}

const messageFields = 7

func parseMessages(out []byte) (commits []Commit, err error) {
	fields := bytes.Split(bytes.TrimSuffix(out, []byte{0}), []byte{0})
	if len(out) == 0 {
		return nil, nil
	}
	if len(fields)%messageFields != 0 {
		return nil, fmt.Errorf("git log: %d fields", len(fields))
	}
	for f := range slices.Chunk(fields, messageFields) {
		seconds, err := strconv.ParseInt(string(f[2]), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("git log: %w", err)
		}
		body, trailers := strings.TrimSpace(string(f[6])), strings.TrimSpace(string(f[5]))
		commits = append(commits, Commit{
			Hash: string(f[0]), Author: string(f[1]), At: time.Unix(seconds, 0), Tagged: strings.Contains(string(f[3]), "tag: "),
			Subject: string(f[4]), Body: strings.TrimSpace(strings.TrimSuffix(body, trailers)),
		})
	}
	return commits, nil
}
