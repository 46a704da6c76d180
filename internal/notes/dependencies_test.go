package notes_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"whence/internal/agent"
)

// noted returns the lines of decisions.md about dependencies, without the day.
func noted(s *stage) (lines []string) {
	for line := range strings.Lines(s.read(decisionsMD)) {
		if line, is := strings.CutPrefix(strings.TrimSpace(line), "- "+s.now.Format(time.DateOnly)+" "); is {
			lines = append(lines, line)
		}
	}
	return lines
}

// If a command changes a manifest, the dependencies that it added or removed are noted, once. Other changes of the
// manifest are not noted.
func TestDependenciesByCommands(t *testing.T) {
	s := newStage(t, map[string]string{"go.mod": "module x\n\nrequire a.io/old v1.0.0\n"})
	s.start("startup")
	s.run("go version")
	s.write("go.mod", "module x\n\nrequire (\n\ta.io/old v1.0.0\n\tgolang.org/x/text v0.14.0 // indirect\n)\n")
	s.run("go get golang.org/x/text")
	s.run("go build ./...")
	s.write("go.mod", "module x\n\ngo 1.30\n\nrequire golang.org/x/text v0.15.0\n")
	s.run("go mod tidy")
	s.write("go.mod", "module x\n\ngo 1.31\n\nrequire golang.org/x/text v0.15.0\n")
	s.run("go mod edit -go 1.31")
	s.write("package.json", `{"name": "x", "scripts": {"build": "tsc"}, "devDependencies": {"@types/node": "^20.1.0"}}`)
	s.run("npm init")
	require.Equal(t, []string{
		"go.mod (dependencies) changed: added golang.org/x/text", "go.mod (dependencies) changed: removed a.io/old",
		"package.json (dependencies) created: added @types/node",
	}, noted(s))
	s.write("go.mod", "module x\n\nrequire b.io/by-hand v1.0.0\n")
	s.start("startup")
	s.run("go build ./...")
	require.Len(t, noted(s), 3, "what changes between sessions is not the agent's")
}

// Manifests in other folders are not known until they are edited.
func TestDependenciesByEdits(t *testing.T) {
	s := newStage(t, map[string]string{"web/package.json": `{"dependencies": {"vue": "^3.0.0"}}`, "api/package.json": `{"dependencies": {"koa": "^2.0.0"}}`})
	s.start("startup")
	s.write("web/package.json", `{"dependencies": {"vue": "^3.0.0", "pinia": "^2.0.0"}}`)
	edit := agent.Edit{Path: "web/package.json", Old: `"vue": "^3.0.0"`, New: `"vue": "^3.0.0", "pinia": "^2.0.0"`}
	s.event(agent.Event{Name: agent.PostToolUse, Tool: "Edit", Path: edit.Path, Edits: []agent.Edit{edit}})
	s.edit(agent.Edit{Path: "api/package.json", New: `{"dependencies": {"koa": "^2.0.0", "zod": "^3.0.0"}}`})
	s.write("web/package.json", `{"dependencies": {"vue": "^3.0.0"}}`)
	s.run("npm remove pinia")
	require.Equal(t, []string{
		"web/package.json (dependencies) changed: added pinia", "api/package.json (dependencies) changed", "web/package.json (dependencies) changed: removed pinia",
	}, noted(s))
}

// Each kind of manifest names its dependencies, and nothing else.
func TestDependenciesOfManifests(t *testing.T) {
	for file, c := range map[string]struct{ text, want string }{
		"go.mod":           {"module a.io/me\n\ngo 1.30\n\nrequire (\n\ta.io/x/v2 v2.0.1\n\tb.io v0.0.0-2020 // indirect\n)\nreplace c.io/y => ../y\n", "a.io/x/v2, b.io"},
		"package.json":     {"{\"license\": \"MIT\", \"scripts\": {\"test\": \"jest\"}, \"dependencies\": {\"@a/b\": \"~1.0\", \"c\": \"latest\", \"d\": \"workspace:*\"}}", "@a/b, c, d"},
		"requirements.txt": {"# web\n-r base.txt\nDjango>=5\nrequests[socks]==2.0\n", "Django, requests"},
		"Cargo.toml":       {"[package]\nname = \"x\"\n[dependencies]\nserde = { version = \"1\" }\nrand = \"0.8\"\n[dev-dependencies.tokio]\n", "serde, rand, tokio"},
		"pyproject.toml":   {"[project]\nname = \"x\"\ndependencies = [\n  \"httpx>=0.27\",\n  'rich[x] ~= 13'\n]\n", "httpx, rich"},
		"pom.xml":          {"<dependency>\n<groupId>g</groupId>\n<artifactId>junit</artifactId>\n</dependency>", "junit"},
		"Gemfile":          {"source 'https://rubygems.org'\ngem 'rails', '~> 8'\n", "rails"},
		"build.gradle.kts": {"plugins { id(\"x\") }\ndependencies { implementation(\"org.a:b:1.2\") }\n", "org.a:b"},
		"App.csproj":       {"<PackageReference Include=\"Dapper\" Version=\"2\" />", "Dapper"},
		"mix.exs":          {"defp deps do\n[{:phoenix, \"~> 1.7\"}, {:jason, only: :test}]", "phoenix, jason"},
		"Package.swift":    {".package(url: \"https://a.io/nio.git\", from: \"2\")", "https://a.io/nio.git"},
	} {
		s := newStage(t, nil)
		s.start("startup")
		s.write(file, c.text)
		s.run("make")
		require.Equal(t, []string{file + " (dependencies) created: added " + c.want}, noted(s))
	}
}
