package redact

import (
	"strings"

	"whence/internal/text"
)

// Secrets of Kubernetes: in YAML or JSON that says kind: Secret, each value of data and of stringData.

var (
	// manifestStart matches the beginning of a manifest among others.
	manifestStart = text.Lazy(`(?m)^[ \t>+]*---|^[ \t>+]*- apiVersion:|\{\s*\\?"apiVersion`)

	secretKind = text.Lazy(`kind\\?["']?: {0,4}\\?["']?Secret(?:[^\w-]|$)`)

	// manifestData matches what such a manifest has between braces, or in lines that are indented further.
	manifestData = text.Lazy(`(?m)\\?["']?\b(?:data|stringData)\\?["']?: *(?:\{[^{}]*\}|\r?\n(?:[ \t>+]+[^\n]*(?:\n|\z)|[ \t]*\n)+)`)

	// manifestValue matches a key of it, and its value: a block of lines, what is quoted, or a word.
	manifestValue = text.Lazy(`(?m)((?:^|[{,])[ \t>+\r\n]*\\?["']?[\w.-]+\\?["']?: *)([|>][+-]?[ \t]*\r?\n(?:[ \t>+]+[^\n:]+(?:\n|\z))+|\\?"(?:\\[^"]|[^"\\\n])*\\?"|'[^'\n]*'|[^\s"',{}\\][^\n,{}"\\]*)`)
)

// cleanManifests replaces the values of the Secrets of Kubernetes in a text.
func cleanManifests(text string, note func(kind string)) string {
	if !secretKind().MatchString(text) {
		return text
	}
	var out strings.Builder
	starts := append(manifestStart().FindAllStringIndex(text, -1), []int{len(text)})
	from := 0
	for _, start := range starts {
		manifest := text[from:start[0]]
		from = start[0]
		if secretKind().MatchString(manifest) {
			manifest = manifestData().ReplaceAllStringFunc(manifest, func(data string) string { return cleanData(data, note) })
		}
		out.WriteString(manifest)
	}
	return out.String()
}

// cleanData replaces the values of a mapping behind its own key.
func cleanData(data string, note func(kind string)) string {
	begin := strings.IndexAny(data, "{\n")
	return data[:begin] + manifestValue().ReplaceAllStringFunc(data[begin:], func(pair string) string {
		groups := manifestValue().FindStringSubmatch(pair)
		value := strings.TrimRight(groups[2], " \t\r\n")
		secret := strings.Trim(value, `\"'`)
		if len(secret) < minGiven || isReference(secret) {
			return pair
		}
		note("secret")
		return groups[1] + strings.Replace(groups[2], secret, markBegin+"secret"+markEnd, 1)
	})
}
