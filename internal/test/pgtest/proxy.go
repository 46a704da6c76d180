package pgtest

import (
	"net"
	"sync"
	"testing"
)

// Proxy forwards connections to another address, and stands for a network that fails.
type Proxy struct {
	own, target string

	mu       sync.Mutex
	listener net.Listener // nil where the connection is cut
	links    map[*link]bool
	hung     chan struct{} // closed when it goes on again; nil where it does
	taken    int           // connections since the beginning

	running sync.WaitGroup
}

// link is one connection through the proxy.
type link struct {
	once sync.Once
	done chan struct{}

	mu   sync.Mutex
	ends []net.Conn
}

// NewProxy starts a proxy on loopback, until the end of the test.
func NewProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	port, err := freePort()
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{own: loopback(port), target: target, links: map[*link]bool{}}
	if err := p.listen(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Cut()
		p.running.Wait()
	})
	return p
}

// Address is where the proxy listens: host and port.
func (p *Proxy) Address() string { return p.own }

// Taken is how many connections were made so far.
func (p *Proxy) Taken() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}

// Cut closes all connections, and refuses others from now on.
func (p *Proxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener != nil {
		p.listener.Close()
		p.listener = nil
	}
	for l := range p.links {
		l.close()
	}
}

// Hang takes connections and what comes from them, but forwards nothing from now on.
func (p *Proxy) Hang() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hung == nil {
		p.hung = make(chan struct{})
	}
}

// Heal ends all faults. What came while the proxy hung is forwarded now; what was cut has to
// be connected anew.
func (p *Proxy) Heal(t testing.TB) {
	t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.hung != nil {
		close(p.hung)
		p.hung = nil
	}
	if p.listener == nil {
		if err := p.listen(); err != nil {
			t.Fatal(err)
		}
	}
}

func (p *Proxy) listen() error {
	listener, err := net.Listen("tcp", p.own)
	if err != nil {
		return err
	}
	p.listener = listener
	p.running.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return // closed
			}
			p.take(listener, client)
		}
	})
	return nil
}

// take begins a link.
func (p *Proxy) take(from net.Listener, client net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.listener != from { // cut since
		client.Close()
		return
	}
	p.taken++
	l := &link{done: make(chan struct{}), ends: []net.Conn{client}}
	p.links[l] = true
	p.running.Go(func() {
		defer func() {
			l.close()
			p.mu.Lock()
			delete(p.links, l)
			p.mu.Unlock()
		}()
		if !p.pass(l) {
			return
		}
		server, err := net.Dial("tcp", p.target)
		if err != nil || !l.add(server) {
			return
		}
		p.running.Go(func() { p.forward(l, client, server) })
		p.forward(l, server, client)
	})
}

// forward copies what comes, and at last that nothing more comes.
func (p *Proxy) forward(l *link, from, to net.Conn) {
	defer l.close()
	buffer := make([]byte, 32<<10)
	for {
		n, err := from.Read(buffer)
		if !p.pass(l) || err != nil && n == 0 {
			return
		}
		if _, err := to.Write(buffer[:n]); err != nil {
			return
		}
	}
}

// pass waits while the proxy hangs. It is false when the link was cut meanwhile.
func (p *Proxy) pass(l *link) bool {
	for {
		p.mu.Lock()
		hung := p.hung
		p.mu.Unlock()
		if hung == nil {
			return true
		}
		select {
		case <-hung:
		case <-l.done:
			return false
		}
	}
}

// add takes another end, unless the link was cut.
func (l *link) add(end net.Conn) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case <-l.done:
		end.Close()
		return false
	default:
		l.ends = append(l.ends, end)
		return true
	}
}

func (l *link) close() {
	l.once.Do(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		close(l.done)
		for _, end := range l.ends {
			end.Close()
		}
	})
}
