import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseTable, reachThrough } from './rules.ts'

const reach = (...rules: readonly string[]) => {
  const heads = ['-P INPUT ACCEPT', '-N DOCKER-USER', '-N HOSTREEVE-PORTS']
  const table = parseTable([...heads, ...rules.map((rule) => `-A ${rule}`), ''].join('\n'))
  return reachThrough(table, 'DOCKER-USER', { protocol: 'tcp', hostPort: 8080, packetPort: 80 })
}
const open = { isOpen: true, allowed: [], denied: [], unread: [] }
const end = 'DOCKER-USER -j RETURN'
const own = 'HOSTREEVE-PORTS'
const match = '-p tcp -m conntrack --ctstate DNAT --ctorigdstport 8080 --ctdir ORIGINAL'

describe('who reaches a published port', () => {
  test('is everyone without rules, and with rules for other ports and protocols', () => {
    assert.deepEqual(reach(end), open)
    assert.deepEqual(
      reach(
        'DOCKER-USER -p udp -j DROP',
        'DOCKER-USER -p tcp -m conntrack --ctorigdstport 8081 -j DROP',
        'DOCKER-USER -p tcp -m tcp --dport 8080 -j DROP', // the packets go to port 80 by then
        'DOCKER-USER -m conntrack --ctstate RELATED,ESTABLISHED -j ACCEPT',
        'DOCKER-USER -m conntrack --ctstate INVALID -j DROP',
        end,
      ),
      open,
    )
  })

  test('is who the chain of the panel lists, or nobody', () => {
    const jump = `DOCKER-USER -j ${own}`
    const listed = reach(
      jump,
      end,
      `${own} -s 192.0.2.7/32 ${match} -j RETURN`,
      `${own} -s 198.51.100.0/24 ${match} -j RETURN`,
      `${own} ${match} -j DROP`,
    )
    assert.deepEqual(listed, { ...open, isOpen: false, allowed: ['192.0.2.7', '198.51.100.0/24'] })
    assert.deepEqual(reach(jump, end, `${own} ${match} -j DROP`), { ...open, isOpen: false })
    assert.deepEqual(reach(jump, `${own} ${match.replace('8080', '9090')} -j DROP`, end), open)
  })

  test('follows the rules that people write: one source alone, and denied ones', () => {
    assert.deepEqual(reach('DOCKER-USER ! -s 192.0.2.0/24 -j DROP', end), {
      ...open,
      isOpen: false,
      allowed: ['192.0.2.0/24'],
    })
    assert.deepEqual(reach('DOCKER-USER -s 203.0.113.9/32 -m comment --comment "a b" -j REJECT', end), {
      ...open,
      denied: ['203.0.113.9'],
    })
    assert.equal(reach('DOCKER-USER -p tcp -m tcp --dport 80 -j DROP', end).isOpen, false)
  })

  test('is not told smaller than it is where a rule has a condition that is not read', () => {
    const rule = '-A DOCKER-USER -i eth0 -j DROP'
    assert.deepEqual(reach('DOCKER-USER -i eth0 -j DROP', end), { ...open, unread: [rule] })
    assert.equal(reach('DOCKER-USER -m limit --limit 5/sec -j ACCEPT', 'DOCKER-USER -j DROP').isOpen, true)
    assert.equal(reach('DOCKER-USER -i lo -j ACCEPT', 'DOCKER-USER -j DROP').isOpen, false)
    assert.equal(reach('DOCKER-USER -m conntrack --ctdir REPLY -j DROP', end).isOpen, true)
    assert.equal(reach('DOCKER-USER -m addrtype --dst-type LOCAL -j DROP', end).isOpen, true)
    assert.deepEqual(
      reach('DOCKER-USER -s 192.0.2.0/24 -j HOSTREEVE-PORTS', 'HOSTREEVE-PORTS -s 192.0.2.7/32 -j DROP', end),
      open,
      'who is denied only under another condition is not named',
    )
  })

  test('follows jumps and gotos, after which the next rule is not met', () => {
    const inside = ['HOSTREEVE-PORTS -s 192.0.2.7/32 -j ACCEPT', 'HOSTREEVE-PORTS -j DROP']
    const only = { ...open, isOpen: false, allowed: ['192.0.2.7'] }
    for (const option of ['-j', '-g'])
      assert.deepEqual(reach(`DOCKER-USER ${option} HOSTREEVE-PORTS`, end, ...inside), only)
    assert.equal(reach('DOCKER-USER -j HOSTREEVE-PORTS', 'DOCKER-USER -j DROP').isOpen, false)
    assert.equal(reach('DOCKER-USER -g HOSTREEVE-PORTS', 'DOCKER-USER -j DROP').isOpen, true)
  })
})
