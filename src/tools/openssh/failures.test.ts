import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { scratchRoot } from '../../../test/support/step-suite.ts'
import { openHost } from '../../host/index.ts'
import type { Run } from '../../host/run.ts'
import { followFailures, openFailures, parseFailure } from './failures.ts'

const at = (address: string, isRefusal = true) => ({ address, port: '40022', isRefusal })

describe('failed sign-ins to sshd', () => {
  for (const [message, failure] of [
    ['Failed password for root from 192.0.2.7 port 40022 ssh2', at('192.0.2.7')],
    ['Failed password for invalid user a b from 2001:db8::7 port 40022 ssh2', at('2001:db8::7')],
    ['Failed keyboard-interactive/pam for ada from 192.0.2.7 port 40022 ssh2', at('192.0.2.7')],
    ['Connection closed by authenticating user root 192.0.2.7 port 40022 [preauth]', at('192.0.2.7', false)],
    ['Disconnected from invalid user ftp 192.0.2.7 port 40022 [preauth]', at('192.0.2.7', false)],
    ['Connection reset by invalid user  192.0.2.7 port 40022 [preauth]', at('192.0.2.7', false)],
    ['Disconnected from user ada 192.0.2.7 port 40022', undefined],
    ['Connection closed by 192.0.2.7 port 40022 [preauth]', undefined],
    ['Accepted password for ada from 192.0.2.7 port 40022 ssh2', undefined],
    ['Failed publickey for ada from 192.0.2.7 port 40022 ssh2: ED25519 SHA256:x', undefined],
    ['Invalid user ftp from 192.0.2.7 port 40022', undefined],
  ] as const)
    it(`are read from ${message}`, () => assert.deepEqual(parseFailure(message), failure))

  it('are of the address that sshd saw, whatever the name of the user says', () => {
    for (const name of [
      'root from 198.51.100.1 port 22 ssh2',
      'x from 198.51.100.1 port 22 ssh2\nFailed password for root',
      '198.51.100.1 port 22 [preauth]',
    ])
      for (const message of [
        `Failed password for invalid user ${name} from 192.0.2.7 port 40022 ssh2`,
        `Connection closed by invalid user ${name} 192.0.2.7 port 40022 [preauth]`,
      ])
        assert.equal(parseFailure(message)?.address, '192.0.2.7', message)
    // keys and certificates have texts of their holders after the address
    const named = 'RSA-CERT ID x from 198.51.100.1 port 22 ssh2 (serial 0) CA ED25519 SHA256:x'
    assert.equal(parseFailure(`Failed publickey for ada from 192.0.2.7 port 40022 ssh2: ${named}`), undefined)
  })

  it('count once a connection where no password was refused over it', () => {
    const isCounted = openFailures()
    const counted = [at('192.0.2.7'), at('192.0.2.7'), at('192.0.2.7', false), at('192.0.2.7', false)]
    assert.deepEqual(counted.map(isCounted), [true, true, false, true])
    for (let port = 0; port < 1002; port += 1) isCounted({ ...at('192.0.2.8'), port: `${port}` })
    assert.equal(isCounted({ ...at('192.0.2.8', false), port: '0' }), true, 'the oldest are forgotten')
    assert.equal(isCounted({ ...at('192.0.2.8', false), port: '1001' }), false)
  })

  it('are followed in the journal, and nowhere else', async (t) => {
    const root = scratchRoot(t)
    const entries = [
      { MESSAGE: 'Failed password for root from 192.0.2.7 port 1 ssh2' },
      { MESSAGE: [255, 254] },
      { MESSAGE: 'Server listening on 0.0.0.0 port 22.' },
      { MESSAGE: 'Failed password for root from 192.0.2.8 port 1 ssh2' },
    ]
    const asked: (readonly string[])[] = []
    const run: Run = async (argv, options) => {
      asked.push(argv)
      const text = [...entries.map((each) => JSON.stringify(each)), '{"MESS'].join('\n')
      await options?.onOutput?.(Buffer.from(text))
      return { code: 0, stdout: '', stderr: '', isCut: false, durationMs: 0 }
    }
    const host = openHost({ root, run })
    const all = async () => {
      const addresses: string[] = []
      for await (const each of followFailures(host, new AbortController().signal)) addresses.push(each)
      return addresses
    }
    assert.deepEqual([await all(), asked], [[], []])
    mkdirSync(`${root}/run/systemd/journal`, { recursive: true })
    writeFileSync(`${root}/run/systemd/journal/socket`, '')
    assert.deepEqual(await all(), ['192.0.2.7', '192.0.2.8'])
    assert.ok(asked[0]?.includes('_UID=0'), 'any account can write to the journal')
  })
})
