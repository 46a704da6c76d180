package redact

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"whence/internal/test/repotest"
)

var update = flag.Bool("update", false, "write the rows of formats.txt that gitleaks has anew")

const (
	// fromGitleaks begins what formats.txt has from gitleaks.
	fromGitleaks = "# From gitleaks"

	gitleaks = "github.com/zricethezav/gitleaks/v8@v8.30.1"
)

// TestRowsOfGitleaks compares the end of formats.txt with the rules of gitleaks whose secrets have a form of their own.
// A rule that only sees a value of some length beside the name of a service is left out: the name of the value says
// whether it is a secret. With -update the end is written.
func TestRowsOfGitleaks(t *testing.T) {
	download := exec.Command("go", "mod", "download", "-json", gitleaks)
	if !*update {
		download.Env = append(os.Environ(), "GOPROXY=off")
	}
	answer, err := download.Output()
	if err != nil {
		repotest.Missing(t, "gitleaks", err.Error())
	}
	var module struct{ Dir string }
	require.NoError(t, json.Unmarshal(answer, &module))
	read := func(name string) string {
		src, err := os.ReadFile(filepath.Join(module.Dir, name))
		require.NoError(t, err)
		return string(src)
	}
	license := "# " + strings.ReplaceAll(strings.TrimSpace(read("LICENSE")), "\n", "\n# ")
	license = strings.ReplaceAll(license, "# \n", "#\n")
	want := fromGitleaks + ", whose license is:\n#\n" + license + "\n\n" + strings.Join(rowsOf(read("config/gitleaks.toml")), "\n") + "\n"
	own, got, _ := strings.Cut(formatTable, fromGitleaks)
	if *update {
		require.NoError(t, os.WriteFile("formats.txt", []byte(own+want), 0o600))
		return
	}
	require.Equal(t, want, fromGitleaks+got)
}

// passedOver lists rules that know too little (a bare number and a bar), or whose secrets other rules find better.
var passedOver = strings.Fields(`authress-service-client-access-token cisco-meraki-api-key cohere-api-token curl-auth-header curl-auth-user facebook-access-token
	flutterwave-public-key freemius-secret-key gitlab-session-cookie infracost-api-token jwt jwt-base64 kubernetes-secret-yaml nuget-config-password
	okta-access-token private-key privateai-api-token sidekiq-sensitive-url sourcegraph-access-token sumologic-access-id azure-ad-client-secret
	hashicorp-tf-api-token maxmind-license-key microsoft-teams-webhook slack-webhook-url artifactory-reference-token clickhouse-cloud-api-secret-key
	vault-service-token harness-api-key github-app-token github-fine-grained-pat github-oauth github-pat github-refresh-token aws-access-token twilio-api-key databricks-api-token stripe-access-token`)

var (
	field    = regexp.MustCompile(`(?m)^(id|regex) = (?:"([^"]*)"|'''(.*)''')$`)
	boundary = regexp.MustCompile(`^(?:\(\?i\))?(?:\\b)?|(?:\(\?:\[\\x60'"\\s;\].*\)|\\b|\(\?:\[\^[^\]]*\]\|\\z\))$`)
	capture  = regexp.MustCompile(`\((\w|\(|\[)`)
	wordy    = regexp.MustCompile(`\[[^]]*(?:\\w|_)[^]]*-\]`) // what may also be words
	lastSize = regexp.MustCompile(`\{(\d+)(?:,\d+)?\}(\)*)$`)
)

// rowsOf returns a row for each rule whose pattern begins with letters of its own.
func rowsOf(config string) (rows []string) {
	for _, rule := range strings.Split(config, "[[rules]]")[1:] {
		of := map[string]string{}
		for _, m := range field.FindAllStringSubmatch(rule, -1) {
			if of[m[1]] == "" { // the others are what the rule allows
				of[m[1]] = m[2] + m[3]
			}
		}
		pattern := of["regex"]
		if pattern == "" || strings.Contains(pattern, `[\w.-]{0,50}?`) || slices.Contains(passedOver, of["id"]) {
			continue
		}
		fold := strings.HasPrefix(pattern, "(?i)")
		pattern = boundary.ReplaceAllString(pattern, "")
		pattern = lastSize.ReplaceAllString(pattern, "{$1,}$2") // a longer one of tomorrow
		pattern = capture.ReplaceAllString(strings.ReplaceAll(pattern, "(?i)", ""), "(?:$1")
		if fold || strings.Contains(of["regex"], "(?i)") {
			pattern = "(?i:" + pattern + ")"
		}
		var hints []string
		for _, start := range beginnings(pattern) {
			if start = strings.ToLower(start); !slices.Contains(hints, start) {
				hints = append(hints, start)
			}
		}
		check := ""
		if wordy.MatchString(pattern) {
			check = "digit"
		}
		rows = append(rows, strings.Join([]string{"access token", check, strings.Join(hints, ","), "", pattern}, "\t"))
	}
	return rows
}

// beginnings returns the texts with which the matches of a pattern begin.
func beginnings(pattern string) []string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	starts, _ := literals(re.Simplify())
	return starts
}

// literals returns the texts with which matches of a part of a pattern begin, and whether they are whole.
func literals(re *syntax.Regexp) (starts []string, whole bool) {
	switch re.Op {
	case syntax.OpLiteral:
		return []string{string(re.Rune)}, true
	case syntax.OpCapture:
		return literals(re.Sub[0])
	case syntax.OpAlternate:
		whole = true
		for _, sub := range re.Sub {
			s, w := literals(sub)
			starts, whole = append(starts, s...), whole && w
		}
		return starts, whole
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				starts = append(starts, string(r))
			}
		}
		if len(starts) > 4 {
			return nil, false
		}
		return starts, true
	case syntax.OpConcat:
		starts, whole = []string{""}, true
		for _, sub := range re.Sub {
			next, w := literals(sub)
			if !whole || len(next) == 0 {
				return starts, false
			}
			var longer []string
			for _, s := range starts {
				for _, n := range next {
					longer = append(longer, s+n)
				}
			}
			starts, whole = longer, w
		}
		return starts, whole
	}
	return nil, false
}
