package capture

import "strings"

// lookers are the tools that change nothing in a project.
var lookers = map[string]bool{
	"Read": true, "Glob": true, "Grep": true, "LS": true, "BashOutput": true, "TodoWrite": true, "TodoRead": true, "ToolSearch": true,
	"NotebookRead": true, "WebSearch": true, "WebFetch": true, "TaskGet": true, "TaskList": true, "TaskCreate": true, "TaskUpdate": true,
	"Skill": true, "ExitPlanMode": true, "AskUserQuestion": true, "Task": true, "Agent": true,
}

// looking are commands that do the same in a shell.
var looking = map[string]bool{
	"ls": true, "cat": true, "head": true, "tail": true, "pwd": true, "find": true, "grep": true, "rg": true, "wc": true, "which": true,
	"tree": true, "file": true, "stat": true, "less": true, "sed": true, "awk": true, "du": true, "df": true, "ps": true, "date": true,
	"whoami": true, "type": true, "test": true, "[": true, "jq": true, "diff": true, "sort": true,
}

// lookingGit are the commands of git that change nothing.
var lookingGit = map[string]bool{"status": true, "log": true, "diff": true, "show": true, "branch": true, "blame": true, "remote": true, "ls-files": true, "rev-parse": true}

// isLook tells whether a use of a tool has only looked at something.
//
// The rule that drops the third and any later read of a file (seed D2) says no more than
// this where turns are concerned: a read makes no turn, the first as little as the fifth.
// What was found in the file stands in the answer. It is also no step of a fix.
func isLook(u use) bool {
	if u.Name != "Bash" {
		return lookers[u.Name]
	}
	if writes(u.Told) {
		return false
	}
	program, rest, _ := strings.Cut(u.Key, " ")
	if program == "git" {
		command, _, _ := strings.Cut(rest, " ")
		return lookingGit[command]
	}
	return looking[program] || u.Key == ""
}

// writes tells whether a command that only looks writes what it finds into a file.
func writes(line string) bool {
	if strings.Contains(line, "sed -i") {
		return true
	}
	for _, nowhere := range []string{"2>&1", "/dev/null"} {
		line = strings.ReplaceAll(line, nowhere, "")
	}
	for _, target := range strings.SplitAfter(line, ">")[1:] {
		if target = strings.TrimLeft(target, "> \t"); target != "" && !strings.ContainsRune("|;&=0123456789)", rune(target[0])) {
			return true
		}
	}
	return false
}
