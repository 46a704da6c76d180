package e2e

import "whence/internal/test/model"

// openCode ends when its model stops, without an event that would be answered.
var openCode = realAgent{
	name: "opencode", registered: "opencode",
	program:  "opencode/node_modules/opencode-linux-*/bin/opencode",
	prompted: []string{"run", "--model", "scripted/model"},
	env: map[string]string{
		"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_LSP_DOWNLOAD": "1", "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
		"OPENCODE_CONFIG_CONTENT": `{"agent": {"title": {"disable": true}}, "provider": {"scripted": {"npm": "@ai-sdk/anthropic", "name": "scripted",
			"models": {"model": {"name": "model"}}, "options": {"baseURL": "@MODEL@/v1", "apiKey": "none"}}}}`,
	},
	home:  openCodePackages(".config/opencode/"),
	files: openCodePackages(".opencode/"),
	shell: func(command string) model.Turn { return calls("bash", "command", command, "description", "run") },
	read:  func(path string) model.Turn { return calls("read", "filePath", path) },
	edit: func(path, before, after string) model.Turn {
		return calls("edit", "filePath", path, "oldString", before, "newString", after)
	},
	silent: []string{"stopping"},
}

// openCodePackages are the files by which OpenCode takes a folder's packages for installed. Before it
// loads a plugin, it would otherwise try for a minute to fetch its own.
func openCodePackages(folder string) map[string]string {
	const needs = `"dependencies": {"@opencode-ai/plugin": "1.18.33"}`
	return map[string]string{
		folder + "package.json": "{" + needs + "}", folder + "package-lock.json": `{"packages": {"": {` + needs + `}}}`, folder + "node_modules/.keep": "",
	}
}
