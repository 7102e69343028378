import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { run } from '../../host/run.ts'
import { renderTunnel, type Tunnel } from './configuration.ts'
import { sampleTunnel } from './testing/sample-tunnel.ts'
import { listenAsCharon, type Section } from './testing/vici.ts'

const sectionIn = (section: Section, name: string): Section => {
  const found = section[name]
  assert.ok(found !== undefined && !Array.isArray(found) && !Buffer.isBuffer(found), `no section ${name}`)
  return found
}
const textsIn = (section: Section, name: string) => {
  const found = section[name]
  if (Array.isArray(found)) return found.map(String)
  assert.ok(Buffer.isBuffer(found), `no value ${name}`)
  return String(found)
}

describe('the parser of swanctl', () => {
  let folder: string
  let charon: Awaited<ReturnType<typeof listenAsCharon>>
  before(async () => {
    folder = mkdtempSync(`${tmpdir()}/hostreeve-swanctl-`)
    charon = await listenAsCharon(`${folder}/charon.vici`)
  })
  after(async () => {
    await charon.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Returns the connection and the secret that charon would get. */
  const load = async (tunnel: Tunnel) => {
    charon.asked.length = 0
    const file = `${folder}/swanctl.conf`
    writeFileSync(file, renderTunnel(tunnel), { mode: 0o600 })
    const { code, stderr } = await run(
      [
        ...(['swanctl', '--load-all', '--clear', '--noprompt'] as const),
        ...['--file', file, '--uri', `unix://${folder}/charon.vici`],
      ],
      { timeoutMs: 30_000 },
    )
    assert.equal(code, 0, stderr)
    const messages = (command: string) =>
      charon.asked.filter((each) => each.command === command).map(({ message }) => message)
    const [connections, secrets] = [messages('load-conn'), messages('load-shared')]
    assert.deepEqual([connections.length, secrets.length], [1, 1])
    return { connection: sectionIn(connections[0]!, 'hostreeve-7'), secret: secrets[0]! }
  }

  test('reads a tunnel as it is meant', async () => {
    const { connection } = await load(sampleTunnel)
    const child = sectionIn(sectionIn(connection, 'children'), 'hostreeve-7-0a1b2c3d')
    assert.equal(textsIn(connection, 'version'), '2')
    assert.deepEqual(textsIn(connection, 'remote_addrs'), ['192.0.2.2'])
    assert.deepEqual(textsIn(connection, 'proposals'), [
      'aes256-sha256-modp2048',
      'aes256gcm16-prfsha384-modp2048',
    ])
    assert.deepEqual(textsIn(child, 'local_ts'), ['10.1.0.0/16'])
    assert.deepEqual(textsIn(child, 'remote_ts'), ['10.2.0.0/16'])
    assert.deepEqual(textsIn(child, 'esp_proposals'), ['aes256-sha256-modp2048', 'aes256gcm16-modp2048'])
    assert.equal(textsIn(child, 'start_action'), 'start')
  })

  test('reads any secret and identity back, byte by byte', async () => {
    const marks = [
      '"',
      "'",
      '\\',
      '{',
      '}',
      '#',
      '=',
      '$',
      ' ',
      ';',
      '\\n',
      '0x',
      '0s',
      'include',
      'a',
      ',',
      ':',
    ]
    const drawn = (seed: number, of: readonly string[]) =>
      Array.from({ length: 12 }, (_, at) => of[(seed * 31 + at * at * 7 + at * seed) % of.length]).join('')
    for (let seed = 1; seed <= 40; seed += 1) {
      const remoteId = `x${drawn(seed, marks)}x`
      const secret = drawn(seed + 100, [...marks, '\n', 'ü', '\t', '•'])
      const { connection, secret: shared } = await load({ ...sampleTunnel, remoteId, secret })
      assert.equal(textsIn(sectionIn(connection, 'remote'), 'id'), remoteId)
      assert.equal(textsIn(shared, 'data'), secret)
      assert.ok(textsIn(shared, 'owners').includes(remoteId))
    }
  })
})
