package store_test

func captureSilently(dir string, args []string) error { return nil }
