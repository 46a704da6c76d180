package pgtest

import (
	"net"
	"sync"
	"sync/atomic"
	"testing"
)

// Proxy forwards connections to another address, and simulates a failing network.
type Proxy struct {
	listener net.Listener
	target   string
	taken    atomic.Int64
	flow     sync.RWMutex // locked while the network hangs

	mu    sync.Mutex
	conns []net.Conn // both ends of all connections so far
}

// NewProxy starts a proxy on loopback, until the end of the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{listener: listener, target: target}
	go p.accept()
	t.Cleanup(func() {
		listener.Close()
		p.Cut()
	})
	return p
}

// Address returns the host and port where the proxy listens.
func (p *Proxy) Address() string { return p.listener.Addr().String() }

// Taken returns the number of connections made so far.
func (p *Proxy) Taken() int { return int(p.taken.Load()) }

// Cut closes all connections.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, conn := range p.conns {
		conn.Close()
	}
}

// Hang accepts connections and data, but forwards nothing until [Proxy.Heal].
func (p *Proxy) Hang() { p.flow.Lock() }

// Heal forwards what came while the proxy hung, and all else from now on.
func (p *Proxy) Heal() { p.flow.Unlock() }

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return // closed
		}
		p.taken.Add(1)
		go p.serve(client)
	}
}

func (p *Proxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		client.Close()
		return
	}
	p.mu.Lock()
	p.conns = append(p.conns, client, server)
	p.mu.Unlock()
	go p.forward(server, client)
	p.forward(client, server)
}

// forward copies data from one end of a connection to the other.
func (p *Proxy) forward(from, to net.Conn) {
	defer from.Close()
	defer to.Close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if err != nil {
			return
		}
		p.flow.RLock()
		_, err = to.Write(buffer[:n])
		p.flow.RUnlock()
		if err != nil {
			return
		}
	}
}
