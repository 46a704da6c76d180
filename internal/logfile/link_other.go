//go:build !unix

package logfile

// noFollow is no flag here.
const noFollow = 0
