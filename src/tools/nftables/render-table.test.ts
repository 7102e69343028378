import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { parseListing } from './listing.ts'
import { digestIn, renderTable } from './render-table.ts'
import { goldenDraft, golden } from './golden/draft.ts'

describe('the table of the firewall', () => {
  it('is rendered as the golden file has it', () => {
    assert.equal(golden(), readFileSync(new URL('golden/rules.nft', import.meta.url), 'utf8'))
    assert.match(digestIn(golden()) ?? '', /^[0-9a-f]{64}$/)
    assert.equal(goldenDraft.rules.length, 8)
  })

  it('opens ports to some addresses alone, with one line for those of the same', () => {
    const to = (port: number, ...sources: string[]) => ({ port, protocol: 'udp' as const, sources })
    const open = [to(500, '192.0.2.2'), to(4500, '192.0.2.2'), to(500, '2001:db8::2')]
    const lines = renderTable({ rules: [], always: [], open }).split('\n')
    assert.deepEqual(
      lines.filter((line) => line.includes('dport { ')).map((line) => line.trim()),
      [
        'ip saddr { 192.0.2.2 } udp dport { 500, 4500 } counter accept comment "opened to udp 192.0.2.2 ipv4"',
        'ip6 saddr { 2001:db8::2 } udp dport { 500 } counter accept comment "opened to udp 2001:db8::2 ipv6"',
      ],
    )
  })

  it('is told by its digest, and other tables by their owners', () => {
    const { foreign } = parseListing(listing)
    assert.deepEqual(
      foreign.map(({ owner, table, chain, rules }) => [owner, table, chain, rules.length]),
      [
        ['docker', 'filter', 'DOCKER-USER', 1],
        ['ufw', 'filter', 'INPUT', 2],
        ['fail2ban', 'f2b-table', 'f2b-chain', 1],
        ['firewalld', 'firewalld', 'filter_INPUT', 1],
        ['manual', 'mine', 'in', 1],
      ],
    )
    assert.deepEqual(parseListing(listing).counters.get('rule 7'), { packets: 5, bytes: 300 })
  })
})

const listing = `table ip filter {
	chain DOCKER-USER {
		counter packets 0 bytes 0 return
	}

	chain INPUT {
		type filter hook input priority filter; policy drop;
		counter packets 1 bytes 2 jump ufw-before-input
		accept
	}
}
table inet f2b-table {
	set addr-set-sshd {
		type ipv4_addr
	}

	chain f2b-chain {
		tcp dport 22 ip saddr @addr-set-sshd reject
	}
}
table inet firewalld {
	chain filter_INPUT {
		ct state { established, related } accept
	}
}
table inet mine {
	chain in {
		type filter hook input priority 0; policy accept;
		tcp dport 23 drop
	}
}
table inet hostreeve {
	chain input {
		type filter hook input priority filter; policy drop;
		tcp dport { 80, 443 } counter packets 5 bytes 300 accept comment "rule 7"
	}
}
table inet hostreeve_bans {
	chain input {
		ip saddr @ipv4 counter packets 0 bytes 0 drop comment "banned ipv4"
	}
}
`
