import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readPacket } from './read-packet.ts'

const at = '2026-11-28 00:00:01.123456'
const shownOf = (text: string) => {
  const packet = readPacket(`${at} ${text}`)
  return (
    packet && [packet.protocol, packet.src_ip, packet.src_port, packet.dst_ip, packet.dst_port, packet.length]
  )
}

describe('a line of tcpdump', () => {
  it('is a packet with its addresses, ports, protocol and length', () => {
    assert.deepEqual(shownOf('IP 10.0.0.1.4321 > 10.0.0.2.80: Flags [S], seq 1, win 64, length 0'), [
      ...['TCP', '10.0.0.1', '4321', '10.0.0.2', '80', 0],
    ])
    assert.deepEqual(shownOf('IP6 ::1.9 > fe80::2.53: 7+ A? example.com. (29)'), [
      ...['UDP', '::1', '9', 'fe80::2', '53', 29],
    ])
    assert.deepEqual(shownOf('IP 10.0.0.1 > 10.0.0.2: ICMP echo request, id 1, seq 1, length 64'), [
      ...['ICMP', '10.0.0.1', '', '10.0.0.2', '', 64],
    ])
    assert.deepEqual(shownOf('ARP, Request who-has 10.0.0.2 tell 10.0.0.1, length 28'), [
      'ARP',
      '',
      '',
      '',
      '',
      28,
    ])
  })

  it('is none where it has no time', () => assert.equal(readPacket('5 packets captured'), undefined))
})
