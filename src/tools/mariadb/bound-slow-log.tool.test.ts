import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openAccounts } from '../../host/accounts.ts'
import { sql, type SqlConnection, type SqlStatement } from '../../host/apply/steps.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { connectSql } from '../../host/connect/sql.ts'
import { openFiles } from '../../host/files.ts'
import { run } from '../../host/run.ts'
import { type ScratchMariadb, startMariadb } from '../../host/testing/scratch-mariadb.ts'
import { poll } from '../../core/poll.ts'
import { boundSlowLog } from './bound-slow-log.ts'
import { readSlowLog } from './read-slow-log.ts'

const files = openFiles('/')
const host = { run, files, accounts: openAccounts(run, files) }
const typed = (text: string): SqlStatement => ({ parts: [text], values: [] })

describe('the slow log', () => {
  let server: ScratchMariadb
  let connection: SqlConnection
  let path: string
  before(async () => {
    server = await startMariadb({ hasBinaryLog: true })
    connection = connectSql(server.target)
    const [row] = await connection.run(sql`select @@datadir as folder`)
    path = `${String(row?.['folder'])}slow.log`
    await connection.run(typed(`set global slow_query_log_file = '${path}'`))
    await connection.run(typed('set global long_query_time = 0'))
    await connection.run(typed('set global slow_query_log = 1'))
  })
  after(() => server.stop())
  beforeEach(async () => {
    rmSync(`${path}.1`, { force: true })
    await connection.run(sql`flush local slow logs`)
  })

  const counted = async (shape: string) =>
    (await readSlowLog(host, path)).queries.find(({ fingerprint }) => fingerprint === shape)?.count ?? 0
  /** The server writes an entry once it has answered. */
  const logged = async (pattern: RegExp) => {
    const isThere = async () => pattern.test(readFileSync(path, 'utf8')) || undefined
    assert.ok(await poll(isThere, { limitMs: 60_000, everyMs: 20 }), `${path} has no ${pattern.source}`)
  }
  const binaryLog = async () => (await connection.run(sql`show master status`))[0]?.['Position']

  test('begins anew where it is large, and what it had is still read', async () => {
    await connection.run(sql`select 'former' as first_part`)
    await logged(/first_part/)
    const former = await binaryLog()
    assert.equal(await boundSlowLog({ host, connection }, path, 10), true)
    assert.match(readFileSync(`${path}.1`, 'utf8'), /first_part/)
    assert.doesNotMatch(readFileSync(path, 'utf8'), /first_part/)
    await connection.run(sql`select 'later' as second_part`)
    await logged(/second_part/)
    assert.equal(await binaryLog(), former, 'a replica is told nothing of it')
    assert.deepEqual(
      [await counted('select ? as first_part'), await counted('select ? as second_part')],
      [1, 1],
    )
    await boundSlowLog({ host, connection }, path, 10)
    assert.match(readFileSync(`${path}.1`, 'utf8'), /second_part/, 'one former part is kept')
  })

  test('stays while it is small, is no file, or is not there', async () => {
    assert.equal(await boundSlowLog({ host, connection }, path), false)
    assert.equal(await boundSlowLog({ host, connection }, `${path}.missing`, 10), false)
    const link = `${path}.link`
    symlinkSync(path, link)
    assert.equal(await boundSlowLog({ host, connection }, link, 10), false)
    rmSync(link)
    assert.equal(existsSync(`${path}.1`), false)
  })

  test('is written to its own name after a move that was broken off', async () => {
    const refused = connectProblems.NotAnswering('it is stopped')
    const broken: SqlConnection = { run: () => Promise.reject(refused) }
    await assert.rejects(boundSlowLog({ host, connection: broken }, path, 10), refused)
    assert.equal(existsSync(path), false)
    assert.equal(await boundSlowLog({ host, connection }, path, 10), false)
    await connection.run(sql`select 'now' as third_part`)
    await logged(/third_part/)
  })

  test('says why it cannot begin anew', async () => {
    const folder = mkdtempSync('/tmp/hostreeve-slow-log-') // for root alone
    const place = `${folder}/slow.log`
    writeFileSync(place, 'a log of root')
    try {
      await assert.rejects(boundSlowLog({ host, connection }, place, 10), /cannot begin anew: .*denied/)
      assert.equal(statSync(place).size, 13)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
