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

/** The tests of the areas, by area: each of them in a process of its own takes the longest time to start. */
const areas = Map.groupBy(
  globSync('src/areas/*/**/*.test.ts', { cwd: checkout })
    .filter((file) => !/\.(?:homes|tool)\.test\.ts$/.test(file) && !files.includes(file))
    .toSorted(),
  (file) => file.split('/')[2] as string,
)

// The tests that npm test runs on SQLite, on a database of their own each.
describe('the store, changes, jobs and the activity log on PostgreSQL', () => {
  let server: PostgresServer
  before(async () => {
    server = await startPostgresServer()
  })
  after(() => server.remove())

  for (const file of files) it(`pass ${file}`, { timeout: limitMs }, () => assertPassOn(server, file, [file]))
})

describe(
  'the areas on PostgreSQL',
  { skip: !isComplete && 'take some minutes: HOSTREEVE_ALL=1 npm run test:tools -- both-stores' },
  () => {
    let server: PostgresServer
    before(async () => {
      server = await startPostgresServer()
    })
    after(() => server.remove())

    for (const [name, own] of areas)
      it(`pass ${name}`, { timeout: limitMs }, () => assertPassOn(server, name, own))
  },
)

async function assertPassOn(
  { url }: PostgresServer,
  title: string,
  testFiles: readonly string[],
): Promise<void> {
  const env = { HOSTREEVE_TEST_POSTGRES: url }
  const plan = { title, files: testFiles, testTimeoutMs: limitMs, timeoutMs: limitMs, env }
  const { failed, counts } = await runTestProcess(plan, () => {})
  assert.deepEqual(
    failed.map((each) => `${each.title}: ${each.reason}`),
    [],
  )
  assert.ok(counts.passed > 0)
}
