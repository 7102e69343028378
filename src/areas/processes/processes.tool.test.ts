import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { run } from '../../host/run.ts'
import { listProcesses } from './processes.ts'

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
    // the list has the first fifty of the machine, of which the child need not be one
    const [own] = await listProcesses(onlyOf(child.pid), 'pid')
    assert.deepEqual([own?.pid, own?.command], [child.pid, 'sleep 123.4'])
    const path = `/api/system/processes/${child.pid}/kill`
    assert.equal((await panel.request('POST', path, { as })).status, 200)
    assert.equal((await ended)[1], 'SIGKILL')
    assert.equal((await panel.request('POST', path, { as })).error.code, 'kill_failed')
  })

  it('is among at most fifty, in the order asked for', async () => {
    const { data } = await panel.request('GET', '/api/system/processes?sort=pid', { as: panel.admin })
    const pids: readonly number[] = data.processes.map(({ pid }: { pid: number }) => pid)
    assert.ok(pids.length > 0 && pids.length <= 50)
    assert.deepEqual(
      pids,
      pids.toSorted((a, b) => b - a),
    )
  })
})

function onlyOf(pid: number | undefined): typeof run {
  return ([program, ...args], options) => {
    const selecting = args.flatMap((arg) => (arg === '-e' ? ['-p', String(pid)] : [arg]))
    return run([program, ...selecting], options)
  }
}
