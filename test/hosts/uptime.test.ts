import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

describe('uptime monitors', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('uptime')
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(() => host?.remove())

  it('do what their guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/uptime.md'), 'utf8')
    assert.match(await runAll(host, panel, shellBlocks(guide)), /"message":"Monitor deleted"/)
  })

  it('see a service that stops and starts again', async () => {
    await admin.installNginx()
    const draft = { name: 'nginx', type: 'tcp', target: '127.0.0.1:80', check_interval: 3600 }
    const { id } = await admin.must('POST', '/api/uptime/monitors', draft)
    const ping = { ...draft, name: 'loopback', type: 'ping', target: '127.0.0.1' }
    const { id: pinged } = await admin.must('POST', '/api/uptime/monitors', ping)
    const read = async (wanted: number) =>
      (await admin.must('GET', '/api/uptime/monitors')).monitors.find(
        (each: { id: number }) => each.id === wanted,
      )
    const checked = async (wanted: number, times: number) =>
      poll(`check ${times} of monitor ${wanted}`, 60_000, async () => {
        const monitor = await read(wanted)
        return monitor.total_checks >= times ? monitor : undefined
      })
    assert.equal((await checked(id, 1)).last_error, '')
    assert.equal((await checked(pinged, 1)).last_error, '')
    await host.must(['systemctl', 'stop', 'nginx'])
    for (const times of [2, 3]) {
      await admin.must('POST', `/api/uptime/monitors/${id}/check`)
      await checked(id, times)
    }
    assert.equal((await read(id)).is_down, true)
    await host.must(['systemctl', 'start', 'nginx'])
    await admin.must('POST', `/api/uptime/monitors/${id}/check`)
    assert.equal((await checked(id, 4)).is_down, false)
  })
})
