import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundSlowLog } from './slow-log.ts'

test('the log of a server that runs begins anew, and none of another', async () => {
  const bound: string[] = []
  const sqldb = (present: boolean, isRunning: boolean, path: string) =>
    ({
      tool: {
        detect: async () => ({ present }),
        isRunning: async () => isRunning,
        readRunning: async () =>
          new Map([
            ['slow_query_log_file', path],
            ['datadir', '/var/lib/mysql/'],
          ]),
        boundSlowLog: async (at: string) => bound.push(at) > 0,
      },
    }) as never
  assert.equal(await boundSlowLog(sqldb(false, false, 'web1-slow.log')), false)
  assert.equal(await boundSlowLog(sqldb(true, false, 'web1-slow.log')), false)
  assert.equal(await boundSlowLog(sqldb(true, true, 'web1-slow.log')), true)
  assert.equal(await boundSlowLog(sqldb(true, true, '/var/log/mysql/slow.log')), true)
  assert.deepEqual(bound, ['/var/lib/mysql/web1-slow.log', '/var/log/mysql/slow.log'])
})
