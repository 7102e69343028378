import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explain } from './explain.ts'
import { messagesAbout } from './journal.ts'
import { parseConnections } from './live.ts'

test('explains what a negotiation ended with, by its last lines', () => {
  const meant: readonly (readonly [string, RegExp])[] = [
    ["tried 1 shared key for '192.0.2.1' - '192.0.2.2', but MAC mismatched", /secrets .* differ/],
    ['invalid HASH_V1 payload length, decryption failed?', /secrets .* differ/],
    ['received AUTHENTICATION_FAILED notify error', /secret, or the identity/],
    ['received NO_PROPOSAL_CHOSEN notify error', /no proposal in common/],
    ['received proposals unacceptable', /no proposal in common/],
    ['no matching proposal found, sending NO_PROPOSAL_CHOSEN', /no proposal in common/],
    ['received TS_UNACCEPTABLE notify, no CHILD_SA built', /subnets differ/],
    ["constraint check failed: identity 'gateway.example.com' required ", /remote_id/],
    ["no shared key found for '192.0.2.1' - 'other'", /remote_id/],
    ['no IKE config found for 192.0.2.1...192.0.2.2, sending NO_PROPOSAL_CHOSEN', /version of IKE/],
    ['giving up after 5 retransmits', /does not answer/],
    ['error writing to socket: Network is unreachable', /does not answer/],
  ]
  for (const [line, meaning] of meant)
    assert.match(explain(['initiating Main Mode IKE_SA hostreeve-7[1]', line, 'destroying']) ?? '', meaning)
  assert.equal(
    explain(['received NO_PROPOSAL_CHOSEN', 'CHILD_SA hostreeve-7-0a{1} established with SPIs']),
    null,
  )
  assert.equal(explain(['initiating Main Mode IKE_SA hostreeve-7[1] to 192.0.2.2']), undefined)
})

test('takes the lines of a tunnel alone, by its name or the address of its gateway', () => {
  const line = (negotiation: string, connection: string, message: string) => ({
    negotiation,
    connection,
    message,
  })
  const lines = [
    line('9 1', '', '192.0.2.2 is initiating a Main Mode IKE_SA'),
    line('9 1', '', 'received proposals unacceptable'),
    line('9 2', '', 'sending packet: from 192.0.2.1[500] to 192.0.2.3[500]'),
    line('9 2', 'hostreeve-8', 'received AUTHENTICATION_FAILED notify error'),
    line('9 3', 'hostreeve-7', 'giving up after 5 retransmits'),
    line('', '', 'loaded plugins'),
  ]
  assert.deepEqual(messagesAbout(lines, { id: 7, remoteAddress: '192.0.2.2' }), [
    '192.0.2.2 is initiating a Main Mode IKE_SA',
    'received proposals unacceptable',
    'giving up after 5 retransmits',
  ])
  assert.deepEqual(messagesAbout(lines, { id: 8, remoteAddress: '192.0.2.3' }).length, 2)
})

test('reads connections, whatever the other gateway calls itself', () => {
  const text = [
    'list-sa event {hostreeve-7 {uniqueid=3 version=2 state=ESTABLISHED remote-id=x} child-sas {bytes-in=9 state=INSTALLED child-sas {hostreeve-7-a-4 {name=hostreeve-7-a state=INSTALLED bytes-in=84 packets-in=1 bytes-out=168 install-time=5} hostreeve-7-a-5 {state=REKEYING bytes-in=16 bytes-out=0 install-time=9}}}}',
    'list-sa event {hostreeve-8 {uniqueid=4 state=CONNECTING remote-id=%any child-sas {}}}',
    'list-sa event {other {uniqueid=5 state=ESTABLISHED child-sas {}}}',
    'list-sas reply {}',
  ].join('\n')
  assert.deepEqual(Object.fromEntries(parseConnections(text)), {
    7: { isUp: true, receivedBytes: 100, sentBytes: 168 },
    8: { isUp: false, receivedBytes: 0, sentBytes: 0 },
  })
})
