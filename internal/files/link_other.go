//go:build !unix

package files

// noFollow has no equivalent on this system.
const noFollow = 0
