import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { type PostgresServer, startPostgresServer } from '../../test/support/postgresql-server.ts'
import { checkout, runTestProcess } from '../../test/runner/test-process.ts'

/** They intercept what SQLite writes to its file; full disks of a server are in the tests of jobs. */
const ofSqlite = 'src/changes/unsettled.test.ts'
/** Its fifty thousand rows, one query after another, take a minute; what they show of a server is in postgresql.tool.test.ts, too. */
const long = 'src/changes/activity.test.ts'
const isComplete = process.env['HOSTREEVE_ALL'] === '1'

const files = globSync('src/{store,changes,jobs,areas/activity}/**/*.test.ts', { cwd: checkout })
  .filter((file) => !/\.(?:homes|tool)\.test\.ts$/.test(file))
  .filter((file) => file !== ofSqlite && (isComplete || file !== long))
  .toSorted()
const limitMs = 15 * 60_000

// The tests that npm test runs on SQLite, on a database of their own each.
describe('the store, changes, jobs and the activity log on PostgreSQL', () => {
  let server: PostgresServer
  before(async () => {
    server = await startPostgresServer()
  })
  after(() => server.remove())

  for (const file of files)
    it(`pass ${file}`, { timeout: limitMs }, async () => {
      const { failed, counts } = await runTestProcess(
        {
          title: file,
          files: [file],
          testTimeoutMs: limitMs,
          timeoutMs: limitMs,
          env: { HOSTREEVE_TEST_POSTGRES: server.url },
        },
        () => {},
      )
      assert.deepEqual(
        failed.map(({ title, reason }) => `${title}: ${reason}`),
        [],
      )
      assert.ok(counts.passed > 0)
    })
})
