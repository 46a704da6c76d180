package spool

import (
	"encoding/json"
	"fmt"
)

// CheckVersion returns an [ErrNewer] if a job, a JSON object, has a later version than the last one
// known, which is at least 1. The version is the number in its field "version", and 1 without it.
func CheckVersion(job []byte, known int) error {
	var is struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(job, &is); err != nil {
		return err
	}
	if is.Version > known {
		return fmt.Errorf("%w (its version is %d, known is %d)", ErrNewer, is.Version, known)
	}
	return nil
}
