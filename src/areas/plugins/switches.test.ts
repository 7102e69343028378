import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { DiskFailed } from '../../core/problem.ts'
import { openSwitches } from './switches.ts'

const log = { info: () => {}, warn: () => {}, error: () => {} }

test('plugins stay off until the store could be read, and a write returns once they are read again', async () => {
  let disabled: readonly string[] = ['uptime']
  let failures = 1
  let written: () => unknown = () => {}
  const queries = {
    disabled: async () => {
      if (failures-- > 0) throw DiskFailed('the database of the panel cannot be reached')
      return disabled
    },
  }
  const { isEnabled } = openSwitches(
    { onWritten: (_tables, listener) => void (written = listener) },
    queries,
    log,
  )
  assert.equal(isEnabled('mcp'), false)
  await until(() => isEnabled('mcp'))
  assert.equal(isEnabled('uptime'), false)
  disabled = ['mcp']
  failures = 1
  let isTold = false
  void Promise.resolve(written()).then(() => (isTold = true))
  await until(() => isTold)
  assert.deepEqual([isEnabled('mcp'), isEnabled('uptime')], [false, true])
})
