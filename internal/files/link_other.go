//go:build !unix

package files

// noFollow is no flag here.
const noFollow = 0
