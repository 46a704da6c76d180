package notes

import (
	"path"
	"slices"
	"strings"
)

// configured are files that define how a project is built, tested, run and checked, in any folder.
var configured = []string{
	"Dockerfile", "Dockerfile.*", "*.Dockerfile", "Containerfile", "docker-compose*.y*ml", "compose*.y*ml",
	".env.example", ".env.sample", ".env.template",
	"Makefile", "justfile", "Justfile", "Taskfile.y*ml", "CMakeLists.txt",
	".gitlab-ci.yml", "Jenkinsfile", "azure-pipelines.yml", ".travis.yml",
	"tsconfig*.json", ".eslintrc*", "eslint.config.*", ".golangci.y*ml", "staticcheck.conf", ".editorconfig",
	"vite.config.*", "webpack.config.*", "babel.config.*", "jest.config.*", "next.config.*", "tailwind.config.*",
	"settings.gradle*", "tox.ini", "setup.cfg",
}

// configuration applies to these files, to those of CI, and to files at the root of the project
// with the extension of a configuration file.
func configuration(_ *eventRun, c fileChange) (details []string, applies bool) {
	base := path.Base(c.path)
	is := slices.ContainsFunc(configured, func(glob string) bool { is, _ := path.Match(glob, base); return is })
	for _, folder := range []string{".github/workflows/", ".circleci/", ".buildkite/", ".woodpecker/"} {
		is = is || strings.HasPrefix(c.path, folder)
	}
	if !strings.Contains(c.path, "/") {
		is = is || slices.Contains([]string{".toml", ".yaml", ".yml", ".ini", ".cfg"}, path.Ext(base))
	}
	return nil, is
}
