package mcp

import "encoding/json"

// object is a JSON object of one text, as earlier tools answered.
func object(key, value string) string {
	src, err := json.Marshal(map[string]string{key: value})
	if err != nil { // no text has one
		return value
	}
	return string(src)
}
