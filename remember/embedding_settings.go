package remember

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"
)

// embeddingKeyVariable is the environment variable that holds the key.
const embeddingKeyVariable = "WHENCE_EMBEDDING_KEY"

// defaultTimeout is how long one text may take: a embeddingRequest is waited for.
const defaultTimeout = 2 * time.Second

// embeddingSettings name a server and a model.
type embeddingSettings struct {
	BaseURL    string        // such as http://localhost:11434/v1; none: no embeddings
	Model      string        // such as nomic-embed-text
	Dimensions int           // asked for, and required of the answer; 0: what the model has
	Timeout    time.Duration // for one text, ten times that for several; 0: 2 seconds
}

// Open gives the endpoint that the settings name, nil if they name none. The key, if
// the server needs one, is read by getenv.
func openEmbeddingEndpoint(s embeddingSettings, getenv func(string) string) (*embeddingEndpoint, error) {
	if s.BaseURL == "" && s.Model == "" {
		return nil, nil
	}
	if s.BaseURL == "" || s.Model == "" {
		return nil, errors.New("embeddings: base URL and model belong together: set both, or neither")
	}
	base, err := url.Parse(s.BaseURL)
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Host == "" || base.User != nil || base.RawQuery != "" || base.Fragment != "" {
		return nil, fmt.Errorf("embeddings: bad base URL: it is http:// or https://, a host and a path, such as http://localhost:11434/v1; a key belongs into %s", embeddingKeyVariable)
	}
	if s.Dimensions < 0 || s.Timeout < 0 {
		return nil, errors.New("embeddings: dimensions and timeout cannot be negative")
	}
	key := strings.TrimSpace(getenv(embeddingKeyVariable))
	if key != "" && base.Scheme == "http" && !isLocal(base.Hostname()) {
		return nil, fmt.Errorf("embeddings: the key would go to %s in the clear: use https, or unset %s", base.Host, embeddingKeyVariable)
	}
	if s.Timeout == 0 {
		s.Timeout = defaultTimeout
	}
	return newEmbeddingEndpoint(base.JoinPath("embeddings"), s, key), nil
}

// isLocal: such a host is this machine.
func isLocal(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
