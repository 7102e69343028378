import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Start } from './start.ts'

const busy = { message: 'The panel is starting: try again', headers: { 'retry-after': '2' } }

describe('the start of the panel', () => {
  it('lets those who wait go on once it is over', async () => {
    const start = new Start()
    const waiting = start.wait()
    assert.equal(start.isOver, false)
    start.succeed()
    await Promise.all([waiting, start.wait()])
    assert.equal(start.isOver, true)
  })

  it('tells those who wait to try again where it fails, or takes longer than they should wait', async ({
    mock,
  }) => {
    const failed = new Start()
    const waiting = failed.wait()
    failed.fail()
    await assert.rejects(waiting, busy)
    mock.timers.enable({ apis: ['setTimeout'] })
    const late = new Start().wait()
    mock.timers.tick(10_000)
    await assert.rejects(late, busy)
  })
})
