// Package fences holds no code: its tests keep the house in order. They check
// which package may import which, that each outside library has one owner, and
// that the module installs the published programs and nothing else. What comments and messages
// may not say is in english_test.go.
package fences
