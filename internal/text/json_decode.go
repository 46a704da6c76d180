package text

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// ErrMoreJSON is returned for a text that holds more than one JSON value.
var ErrMoreJSON = errors.New("more than one JSON value")

// DecodeJSON reads a text that holds one JSON value and nothing else. A field that is not
// known is an error: it may be a mistyped one that matters.
func DecodeJSON(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return err
	}
	switch _, err := decoder.Token(); {
	case err == nil:
		return ErrMoreJSON
	case !errors.Is(err, io.EOF):
		return fmt.Errorf("behind the JSON value: %w", err)
	}
	return nil
}
