package notes

import (
	"path"
	"slices"
)

// manifests are the files that list dependencies, except lock files, which follow from them.
var manifests = []string{
	"go.mod", "package.json", "composer.json", "requirements.txt", "requirements-*.txt", "requirements_*.txt", "constraints.txt", "Cargo.toml",
	"pyproject.toml", "Pipfile", "pom.xml", "Gemfile", "*.gemspec", "build.gradle", "build.gradle.kts", "*.csproj", "*.fsproj",
	"Directory.Packages.props", "mix.exs", "Package.swift",
}

// dependencies applies to manifests.
func dependencies(_ *eventRun, c fileChange) (details []string, applies bool) {
	return nil, slices.ContainsFunc(manifests, func(glob string) bool {
		is, _ := path.Match(glob, path.Base(c.path))
		return is
	})
}
