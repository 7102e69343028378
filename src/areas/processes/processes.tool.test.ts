import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'

/** With the real ps(1) and kill(1). */
describe('a real process', () => {
  let panel: TestPanel
  before(async () => {
    panel = await openTestPanel({ programs: ['ps', 'kill'] })
  })
  after(() => panel.close())

  it('is listed, killed, and then gone', async () => {
    const child = spawn('sleep', ['123.4'], { stdio: 'ignore' })
    const ended = once(child, 'exit')
    const as = panel.admin
    const { data } = await panel.request('GET', '/api/system/processes?sort=pid', { as })
    const [own, ...rest] = data.processes.filter(({ pid }: { pid: number }) => pid === child.pid)
    assert.deepEqual([own.command, rest.length], ['sleep 123.4', 0])
    const path = `/api/system/processes/${child.pid}/kill`
    assert.equal((await panel.request('POST', path, { as })).status, 200)
    assert.equal((await ended)[1], 'SIGKILL')
    assert.equal((await panel.request('POST', path, { as })).error.code, 'kill_failed')
  })
})
