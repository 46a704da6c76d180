package pgtest

import (
	"net"
	"sync"
	"testing"
)

// Proxy forwards connections to another address, and simulates a failing network.
type Proxy struct {
	address, target string

	mu       sync.Mutex
	changed  *sync.Cond            // hung or conns
	listener net.Listener          // nil while cut
	conns    map[net.Conn]net.Conn // both ends of each connection, by client; the server's is nil before it is dialed
	hung     bool
	taken    int
	running  sync.WaitGroup
}

// NewProxy starts a proxy on loopback, until the end of the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{address: loopback(port), target: target, conns: map[net.Conn]net.Conn{}}
	p.changed = sync.NewCond(&p.mu)
	p.Heal(t)
	t.Cleanup(func() {
		p.Cut()
		p.running.Wait()
	})
	return p
}

// Address returns the host and port where the proxy listens.
func (p *Proxy) Address() string { return p.address }

// Taken returns the number of connections made so far.
func (p *Proxy) Taken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}

// Cut closes all connections, and refuses new ones from now on.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener != nil {
		p.listener.Close()
		p.listener = nil
	}
	for client := range p.conns {
		p.drop(client)
	}
}

// Hang accepts connections and data, but forwards nothing from now on.
func (p *Proxy) Hang() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hung = true
}

// Heal ends all faults. What came while the proxy hung is forwarded now. Cut connections stay closed.
func (p *Proxy) Heal(t testing.TB) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hung = false
	p.changed.Broadcast()
	if p.listener != nil {
		return
	}
	listener, err := net.Listen("tcp", p.address)
	if err != nil {
		t.Fatal(err)
	}
	p.listener = listener
	p.running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // closed
			}
			p.mu.Lock()
			if p.listener == listener {
				p.taken++
				p.conns[client] = nil
				p.running.Go(func() { p.serve(client) })
			} else { // cut since
				client.Close()
			}
			p.mu.Unlock()
		}
	})
}

func (p *Proxy) serve(client net.Conn) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.drop(client)
	}()
	if !p.wait(client) {
		return
	}
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		return
	}
	p.mu.Lock()
	_, connected := p.conns[client]
	if connected {
		p.conns[client] = server
		p.running.Go(func() { p.forward(client, client, server) })
	} else {
		server.Close()
	}
	p.mu.Unlock()
	p.forward(client, server, client)
}

// forward copies data of a client's connection from one end to the other.
func (p *Proxy) forward(client, from, to net.Conn) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 && p.wait(client) {
			_, err = to.Write(buffer[:n])
		}
		if err != nil {
			break
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drop(client)
}

// wait waits while the proxy hangs, and reports whether the client is still connected.
func (p *Proxy) wait(client net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		_, connected := p.conns[client]
		if !connected || !p.hung {
			return connected
		}
		p.changed.Wait()
	}
}

// drop closes both ends of a connection. The mutex is held.
func (p *Proxy) drop(client net.Conn) {
	server, connected := p.conns[client]
	if !connected {
		return
	}
	delete(p.conns, client)
	client.Close()
	if server != nil {
		server.Close()
	}
	p.changed.Broadcast()
}
