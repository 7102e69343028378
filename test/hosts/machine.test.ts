import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

describe('the host', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('machine')
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(() => host?.remove())
  const output = async (...argv: [string, ...string[]]) => (await host.must(argv)).stdout.trim()
  const lastEntry = async () => (await admin.must('GET', '/api/activity')).items[0].id

  it('has its new name in the kernel and after a restart of systemd-hostnamed, and finds itself by it', async () => {
    const former = await output('hostname')
    await admin.must('POST', '/api/settings/server-name', { server_name: 'web7.example.com' })
    assert.equal(await output('hostname'), 'web7.example.com')
    assert.equal(await output('cat', '/etc/hostname'), 'web7.example.com')
    assert.match(await output('getent', 'hosts', 'web7'), /^127\.0\.1\.1\s+web7\.example\.com/)
    await admin.must('POST', `/api/activity/${await lastEntry()}/undo`)
    assert.equal(await output('hostname'), former)
    assert.equal((await host.exec(['getent', 'hosts', 'web7.example.com'])).code === 0, false)
  })

  it('has its new time zone in every program that starts', async () => {
    await admin.must('POST', '/api/settings/server-timezone', { timezone: 'Asia/Kathmandu' })
    assert.equal(await output('date', '+%z'), '+0545')
    assert.equal(await output('cat', '/etc/timezone'), 'Asia/Kathmandu')
    const { timezone, offset } = await admin.must('GET', '/api/settings/server-timezone')
    assert.deepEqual([timezone, offset], ['Asia/Kathmandu', '+05:45'])
    await admin.must('POST', `/api/activity/${await lastEntry()}/undo`)
    assert.notEqual(await output('date', '+%z'), '+0545')
  })

  it('finds its own panel by a check of its port', async () => {
    const asked = { host: '127.0.0.1', port: 7070 }
    const { open, time_ms } = await admin.must('POST', '/api/system/portcheck', asked)
    assert.equal(open, true)
    assert.match(time_ms, /^\d/)
  })

  it('does as the guide says', async () => {
    const blocks = shellBlocks(await readFile(join(checkout, 'docs/guides/host.md'), 'utf8'))
    assert.ok(blocks.length > 0)
    await runAll(host, panel, blocks)
  })
})
