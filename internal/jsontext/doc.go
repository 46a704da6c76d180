// Package jsontext is how all programs read and print JSON: strictly in, so that no
// mistyped field is lost, and indented out, so that people can read it too.
package jsontext
