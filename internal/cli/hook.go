package cli

// InHook reports whether the program runs for a git commit: git names the index to its hooks,
// and so to what hook managers run; pre-commit and prek set PRE_COMMIT.
func InHook(env Env) bool {
	return env.Getenv("GIT_INDEX_FILE") != "" || env.Getenv("PRE_COMMIT") == "1"
}
