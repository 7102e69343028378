import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { type PostgresServer, startPostgresServer } from '../../test/support/postgresql-server.ts'
import { copyStore, type Destination } from '../store/copying/copy-store.ts'
import { shapesOf } from '../store/copying/side.ts'
import { openStore } from '../store/store.ts'
import { areas } from './areas.ts'
import { migrationsOf } from './migrations.ts'
import { storeHistory } from './testing/history.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const migrations = migrationsOf(areas)

let server: PostgresServer
let folder: string
before(async () => {
  // the driver is loaded from the bundle, as on a server
  execFileSync(process.execPath, [`${root}scripts/build.ts`], { stdio: 'ignore', timeout: 300_000 })
  server = await startPostgresServer()
  folder = mkdtempSync('/tmp/hostreeve-store-copy-')
})
after(async () => {
  await server.remove()
  rmSync(folder, { recursive: true })
})

/** Runs `hostreeve store` on the data directory. */
function command(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env['PATH'], HOSTREEVE_DATA_DIR: `${folder}/data`, ...settings }
  const { status, stdout, stderr } = spawnSync(`${root}bin/hostreeve`, ['store', ...args], {
    env,
    encoding: 'utf8',
    timeout: 300_000,
  })
  return { status, output: `${stdout}${stderr}` }
}

const copyTo = (to: Destination) => copyStore({ dataDir: `${folder}/data`, migrations, now: new Date() }, to)

/** Every row of every table of a file. */
function contentOf(file: string) {
  const database = new DatabaseSync(file, { readOnly: true })
  const content = shapesOf(database).map(({ name, key }) => ({
    name,
    rows: database
      .prepare(`select * from "${name}" order by ${key.map((column) => `"${column}"`).join(', ')}`)
      .all(),
  }))
  database.close()
  return content
}

/** Stores a month of history, and texts that databases may take differently. */
async function fill(): Promise<void> {
  const store = await openStore({ dataDir: `${folder}/data`, migrations, now: new Date() })
  await sql`insert into users (id, email, fullname, password_hash, is_admin, is_suspended, created_at, updated_at, revision)
    values (1, 'ada@example.com', ${"Ada \u{1F980} O'Neill \\ %s $1"}, 'h', 1, 0, '', '', 9007199254740991)`.execute(
    store.db,
  )
  await storeHistory(store, { userId: 1, until: Date.now() })
  await store.close()
}

describe('hostreeve store copy', () => {
  it('copies every row to PostgreSQL and back, and compares them', async () => {
    await fill()
    const before = contentOf(`${folder}/data/hostreeve.db`)
    await server.query('postgres', 'create database panel template template0')
    writeFileSync(`${folder}/url`, `${server.url}/panel\n`)
    const there = command(['copy', '--to', `@${folder}/url`])
    assert.deepEqual(
      [there.status, there.output],
      [
        0,
        `Copied ${rowsIn(before)} rows of ${before.length} tables and compared every value. Set database_url to the new address, and start the panel\n`,
      ],
    )
    await assert.rejects(
      copyTo({ url: `${server.url}/panel` }),
      /^Error: The database contains the store of a panel: create an empty one$/,
    )
    // the data directory of the panel that has moved
    mkdirSync(`${folder}/moved`)
    copyFileSync(`${folder}/data/secret.key`, `${folder}/moved/secret.key`)
    const onServer = {
      HOSTREEVE_DATABASE_URL: `${server.url}/panel`,
      HOSTREEVE_DATA_DIR: `${folder}/moved`,
    }
    const back = command(['copy', '--to', `sqlite:${folder}/back.db`], onServer)
    assert.equal(back.status, 0, back.output)
    assert.deepEqual(contentOf(`${folder}/back.db`), before)
    const again = command(['copy', '--to', `sqlite:${folder}/back.db`], onServer)
    assert.match(again.output, /back\.db exists: move it away first$/m)
  })

  it('is refused while a panel runs, and to a database that has other tables', async () => {
    await server.query('postgres', 'create database other template template0')
    await server.query('other', 'create table invoices (id integer)')
    const other = { url: `${server.url}/other` }
    await assert.rejects(
      copyTo(other),
      /^Error: The database contains other tables: create one for the panel alone$/,
    )
    const running = await openStore({ dataDir: `${folder}/data`, migrations, now: new Date() })
    await assert.rejects(copyTo(other), /Another panel runs on the data directory/)
    await running.close()
  })

  it('names a value that PostgreSQL cannot store, and copies nothing', async () => {
    const database = new DatabaseSync(`${folder}/data/hostreeve.db`)
    database.exec("update users set revision = 'latest'")
    database.close()
    await server.query('postgres', 'create database half template template0')
    await assert.rejects(
      copyTo({ url: `${server.url}/half` }),
      /^Error: The table users cannot be copied: invalid input syntax for type bigint: "latest"$/,
    )
    assert.equal(await server.query('half', 'select count(*) from activity'), '0')
  })

  it('takes no password as an argument, and no address of another host without a word on TLS', () => {
    for (const url of [
      'postgres://ada:sesame@db.example.com/x',
      'postgres://ada@localhost/x?password=sesame',
    ]) {
      const { status, output } = command(['copy', '--to', url])
      assert.deepEqual(
        [status, output],
        [2, 'hostreeve: the URL contains a password: write it to a file, and give --to @FILE\n'],
      )
    }
    writeFileSync(`${folder}/plain`, 'postgres://ada:sesame@db.example.com/x')
    const { status, output } = command(['copy', '--to', `@${folder}/plain`])
    assert.equal(status, 1)
    assert.match(
      output,
      /^hostreeve: the URL must end with \?sslmode=verify-full for a server on another host/,
    )
  })

  it('says how it is called', () => {
    const { status, output } = command(['copy', '--to', 'mysql://x/y'])
    assert.equal(status, 2)
    assert.match(output, /^hostreeve: store copy --to URL\n/)
  })
})

const rowsIn = (content: ReturnType<typeof contentOf>): number =>
  content.reduce((sum, { rows }) => sum + rows.length, 0)
