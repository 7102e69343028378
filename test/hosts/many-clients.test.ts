import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { bootHost, checkoutPathInHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { SignedIn } from './story/signed-in.ts'

const isLong = process.env['HOSTREEVE_LONG'] !== undefined
const clients = 200
const seconds = isLong ? 60 : 5
const halfSent = isLong ? 1500 : 500
const MiB = 1024 * 1024

interface Load {
  readonly requests: number
  readonly changes: number
  readonly failed: number
  readonly failures: readonly string[]
}

describe('a panel with many clients', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('clients', { addresses: ['10.77.0.31/24'] })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(() => host.remove())

  const run = async (program: string, args: readonly (number | string)[]) => {
    const node = `${checkoutPathInHost}/node_modules/.bin/node`
    const argv = [node, `${checkoutPathInHost}/test/hosts/story/${program}`, ...args.map(String)] as const
    const { stdout } = await host.must(argv, { timeoutMs: (seconds + 90) * 1000 })
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  const memoryBytes = async () => {
    const { text } = await panel.request('GET', '/metrics')
    return Number(/^process_resident_memory_bytes (\S+)/m.exec(text)?.[1])
  }

  it(`answers every request of ${clients} clients in ${seconds} seconds`, async (t) => {
    const { id } = await admin.must('GET', '/api/auth/me')
    const [load] = (await run('clients.ts', [7070, clients, seconds, admin.token, id])) as [Load]
    t.diagnostic(JSON.stringify(load))
    assert.deepEqual([load.failed, load.failures], [0, []])
    assert.ok(load.requests > 0 && load.changes > 0, JSON.stringify(load))
  })

  it(`keeps little of ${2 * halfSent} half-sent sign-ins, waits for none longer than 30 s, and signs others in`, async (t) => {
    for (let warm = 0; warm < 10; warm++) await panel.signIn()
    const before = await memoryBytes()
    const running = Promise.all([
      run('half-sent.ts', [7070, halfSent, MiB, 1_000_000, 45]),
      run('half-sent.ts', [7070, halfSent, 16_384, 16_383, 45]),
    ])
    let isOver = false
    void running.finally(() => (isOver = true)).catch(() => {})
    let mostBytes = before
    while (!isOver) {
      mostBytes = Math.max(mostBytes, await memoryBytes())
      assert.ok(await panel.signIn())
    }
    const grownMiB = Math.round((mostBytes - before) / MiB)
    const ended = (await running).map(([begun, closed]) => ({ ...begun, ...closed }))
    t.diagnostic(JSON.stringify({ grownMiB, ended }))
    assert.deepEqual(ended[0].answers, { 413: halfSent })
  })
})
