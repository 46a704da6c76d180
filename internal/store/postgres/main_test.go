package postgres_test

import (
	"os"
	"testing"

	"whence/internal/test/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
