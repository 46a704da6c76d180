package decision_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/decision"
	"whence/internal/words"
)

// phrases returns the phrases of the table by kind.
func phrases(t *testing.T) map[string][]string {
	t.Helper()
	src, err := os.Open("statuses.txt")
	require.NoError(t, err)
	defer src.Close()
	all := map[string][]string{}
	for lines := bufio.NewScanner(src); lines.Scan(); {
		if kind, list, found := strings.Cut(lines.Text(), ": "); found {
			all[kind] = append(all[kind], strings.Split(list, ", ")...)
		}
	}
	return all
}

var kindsByName = map[string]decision.StatusKind{
	"proposed": decision.Proposed, "accepted": decision.Accepted, "rejected": decision.Rejected,
	"superseded": decision.Superseded, "superseded by": decision.Superseded,
}

// Each phrase is known wherever a status may be, in any case, and is in the table once, folded.
func TestEachPhraseIsKnown(t *testing.T) {
	seen := map[string]string{}
	for kind, list := range phrases(t) {
		for _, phrase := range list {
			require.Equal(t, words.Fold(phrase), phrase)
			require.Empty(t, seen[phrase], phrase)
			seen[phrase] = kind
			want, isStatus := kindsByName[kind]
			if !isStatus {
				continue
			}
			for _, said := range []string{phrase, words.UpperFirst(phrase), strings.ToUpper(phrase), "**" + phrase + "**", "✅ " + phrase + " (2020-01-01)", "~~Accepted~~ " + phrase} {
				require.Equal(t, want, statusOf("# A\n\n## Status\n\n"+said+"\n").Kind, said)
				require.Equal(t, want, statusOf("# A\n\n- Status: "+said+"\n- Date: x\n").Kind, said)
			}
			require.Empty(t, statusOf("# A\n\nStatus: "+phrase+"\n").Unknown)
		}
	}
	for kind := range kindsByName {
		require.Contains(t, phrases(t), kind)
	}
}

// A negation that no phrase has is not taken for its opposite.
func TestNegationsAreNotTheirOpposite(t *testing.T) {
	for _, status := range []string{
		"Not ratified", "Not yet ratified", "isn't implemented", "never confirmed", "nicht umgesetzt", "pas adopté", "no vigente", "niet besloten", "ikke godkjent", "inte godkänd", "не действует",
		"nie zatwierdzono", "未承認", "承認されていない", "승인되지 않음", "不通过",
	} {
		s := statusOf("# A\n\nStatus: " + status + "\n")
		require.Equal(t, decision.NoStatus, s.Kind, status)
		require.Equal(t, status, s.Unknown)
	}
}

// Records as people write them.
func TestStatusesAsWritten(t *testing.T) {
	for src, want := range map[string]decision.StatusKind{
		"# A\n\nState: Rejected\n":            decision.Rejected,
		"# A\n\n**Decision-Status:** draft\n": decision.Proposed,
		"# A\n\n## State\n\nRejected\n":       decision.NoStatus, // of something else
		"# A\n\n## Status\n\n| Status | Date |\n| --- | --- |\n| Deprecated | 2020-01-01 |\n":    decision.Superseded,
		"# A\n\n## Status\n\n- [ ] Proposed\n- [x] Accepted\n- [ ] Superseded\n":                 decision.Accepted,
		"# A\n\n## Status\n\n- [ ] Proposed\n- [ ] Accepted\n":                                   decision.NoStatus,
		"# [SUPERSEDED] A\n\nStatus: Accepted\n":                                                 decision.Superseded,
		"# ADR-4: [Deprecated] A\n":                                                              decision.Superseded,
		"# 4. [deprecated](x.md) flags\n":                                                        decision.NoStatus,
		"# Remove [Deprecated] fields\n":                                                         decision.NoStatus,
		"# A\n\n> Superseded by [5](0005-x.md)\n\nStatus: Accepted\n":                            decision.Superseded,
		"# A\n\n## Status\n\nproposed | rejected | accepted | deprecated\n":                      decision.NoStatus, // a template, or it has gone through all of them
		"# A\n\n## Status\n\nProposed on 2020-01-01\n\nAccepted on 2020-02-01\n":                 decision.Proposed,
		"# A\n\n## Status\n\n* proposed: 2020-01-01\n* 2020-02-01 accepted\n":                    decision.Proposed,
		"# A\n\n## Status\n\nAccepted\n\nRejected: Kafka, it is too heavy.\n":                    decision.Accepted,
		"# A\n\n## Status\n\nAccepted by all who came to the meeting in which it was rejected\n": decision.Accepted,
		"# A\n\n## Status\n\nAccepted\n\nThe old way is deprecated.\n":                           decision.Accepted,
		"# A\n\nStatus: Accepted\nObsolete: the old way\n":                                       decision.Accepted,
		"# A\n\n## Статус\n\nЗаменено на [5](0005-x.md)\n":                                       decision.Superseded,
		"# A\n\n## Статус\n\nОтклонено\n":                                                        decision.Rejected,
		"# A\n\nStatus: Revogada\n":                                                              decision.Superseded,
	} {
		require.Equal(t, want, statusOf(src).Kind, src)
	}
}

// A status without a phrase of the table is unknown, and a repository may say what it means.
func TestAddedStatuses(t *testing.T) {
	f := decision.ParseDocument("adr/0001-a.md", []byte("# A\n\nStatus: **Mise au rebut** le 2020-01-01\n"))
	require.Equal(t, "Mise au rebut", f.Status().Unknown)
	known := decision.Statuses{}
	require.NoError(t, known.Add("Mise au  Rebut", "superseded"))
	f.ReadStatuses(known)
	require.Equal(t, f.Statuses, f.WithSource(f.Source).Statuses, "also of a text that is edited")
	require.Equal(t, decision.Status{Kind: decision.Superseded, Text: "Mise au rebut le 2020-01-01"}, f.Status())

	require.EqualError(t, known.Add("Accepted", "rejected"), `"Accepted" is known by itself: remove the line`)
	require.EqualError(t, known.Add("status", "rejected"), `"status" is known by itself: remove the line`)
	require.EqualError(t, known.Add("gone", "superseded by"), `"superseded by" is unknown: use accepted, proposed, rejected or superseded`)
	require.EqualError(t, known.Add(" - ", "accepted"), `" - " is not a status: write its words`)
	require.Len(t, known, 1)
}

// Whatever surrounds it, a linked successor is found, and one that is only mentioned is not.
func TestRandomStatuses(t *testing.T) {
	table := phrases(t)
	pick := func(from ...string) string { return from[rand.IntN(len(from))] }
	for range 300 {
		link := pick("[2](0002-b.md)", "[[0002-b]]", "0002-b.md", "`0002-b.md`", "ADR-2", "ADR 0002", "RFC-2", "0002", "[Use B](<./0002-b.md>)", "https://example.org/o/r/blob/main/adr/0002-b.md", "[b](/adr/0002-b.md#x)")
		before := pick("", "", "Accepted, ", "Proposed on 2020-01-01. ", "~~Accepted~~ ", "🟢 ", "Accepted (2020-01-01); ", pick(table["accepted"]...)+". ")
		phrase := pick(table["superseded by"]...)
		after := pick("", "", ".", " on 2021-01-01", " (2021-01-01)", " and ADR-3", ", supersedes ADR-3", "; see also ADR-3 and [3](0003-c.md)", "\n\nThis replaces ADR-3.")
		status := before + pick(phrase, words.UpperFirst(phrase), "**"+phrase+"**", phrase+":") + " " + link + after
		for _, form := range []string{"# A\n\n## Status\n\n%s\n\n## Context\n", "# A\n\n- Status: %s\n- Date: x\n\n## Context\n", "---\ntitle: A\n---\n\n**Status:** %s\n"} {
			src := fmt.Sprintf(form, status)
			if form[0] != '#' && strings.Contains(status, "\n") {
				continue
			}
			require.Equal(t, "adr/0002-b.md", successorAmong(t, src, "adr/0002-b.md", "adr/0003-c.md"), src)
		}
		require.Equal(t, "holds", successorAmong(t, "# A\n\nStatus: accepted\n\n## Context\n\n"+status+"\n", "adr/0002-b.md"), status)
	}
}

// successorAmong returns the path of the record that holds instead of adr/0001-a.md.
func successorAmong(t *testing.T, src string, others ...string) string {
	t.Helper()
	files := []*decision.File{decision.ParseDocument("adr/0001-a.md", []byte(src))}
	for _, name := range others {
		files = append(files, decision.ParseDocument(name, []byte("# B\n")))
	}
	return successorIn(files)
}

// successorIn returns the path of the record that holds in place of the first one, "holds" if that one does, or
// "unknown".
func successorIn(records []*decision.File) string {
	to, gone := decision.Succession(records)[decision.Ref{File: records[0]}]
	switch {
	case !gone:
		return "holds"
	case to.File == nil:
		return "unknown"
	}
	return to.File.Path
}

// A number is a name in the way of the folder, if one record has it.
func TestNumbersOfSuccessors(t *testing.T) {
	for _, c := range []struct {
		status, want string
		others       []string
	}{
		{"ADR-0114", "unknown", []string{"adr/0114-queue-redis.md", "adr/0114-approval-gates.md"}}, // P1
		{"0114-queue-redis", "adr/0114-queue-redis.md", []string{"adr/0114-queue-redis.md", "adr/0114-approval-gates.md"}},
		{"[ADR-0114](0114-queue-redis.md)", "adr/0114-queue-redis.md", []string{"adr/0114-queue-redis.md", "adr/0114-approval-gates.md"}},
		{"ADR-114", "adr/0114-a.md", []string{"adr/0114-a.md", "adr/0114-a.de.md"}}, // its translation
		{"ADR-7", "unknown", []string{"other/0007-a.md"}},
		{"LADR-7", "adr/ladr-0007-a.md", []string{"adr/ladr-0007-a.md"}},
		{"LADR-7", "unknown", []string{"adr/0007-a.md"}},
		{"ADR-7", "adr/ADR0007-a.md", []string{"adr/ADR0007-a.md"}},
		{"007", "adr/0007-a.md", []string{"adr/0007-a.md"}}, {"007 and others", "adr/0007-a.md", []string{"adr/0007-a.md"}}, {"7 and others", "unknown", []string{"adr/0007-a.md"}},
		{"0007", "adr/0007-a.md", []string{"adr/0007-a.md"}},
		{"ADR 20200102", "unknown", []string{"adr/20200102-a.md"}},
		{"20200102-a", "adr/20200102-a.md", []string{"adr/20200102-a.md"}},
		{"ADR-2", "unknown", []string{"adr/http2-push.md"}},
		{"ADR-7", "adr/0007-a/README.md", []string{"adr/0007-a/README.md"}},
	} {
		require.Equal(t, c.want, successorAmong(t, "# A\n\nStatus: superseded by "+c.status+"\n", c.others...), "%s among %v", c.status, c.others)
	}
}
