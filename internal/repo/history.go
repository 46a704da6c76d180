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

// maxMessages is the number of messages that are read at once.
const maxMessages = 500

// History returns the hashes of the newest commits of HEAD without merges, the newest first; none before the first
// commit.
func (r *Repository) History(ctx context.Context, maxCommits int) (hashes []string, err error) {
	out, err := r.read(ctx, "rev-list", "--no-merges", "--max-count="+strconv.Itoa(maxCommits), "HEAD", "--")
	if exitedWith(err, statusFatal) {
		return nil, nil
	}
	return strings.Fields(string(out)), err
}

// statusFatal is the exit status of git where there is no such revision.
const statusFatal = 128

// Messages returns the commits with some hashes, in that order. Those of a page that is too large are left out.
func (r *Repository) Messages(ctx context.Context, hashes []string) (commits []Commit, err error) {
	for page := range slices.Chunk(hashes, maxMessages) {
		out, err := r.answer(ctx, []byte(strings.Join(page, "\n")+"\n"), "log", "--stdin", "--no-walk=unsorted", "-z", "--encoding=UTF-8",
			"--format=tformat:%H%x00%an%x00%at%x00%D%x00%s%x00%(trailers)%x00%b", "--no-show-signature", "--diff-merges=off")
		if ctx.Err() != nil {
			return commits, ctx.Err()
		}
		if err != nil {
			continue
		}
		found, err := parseMessages(out)
		if err != nil {
			return commits, err
		}
		commits = append(commits, found...)
	}
	return commits, nil
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
