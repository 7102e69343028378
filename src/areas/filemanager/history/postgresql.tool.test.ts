import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type PostgresServer, startPostgresServer } from '../../../../test/support/postgresql-server.ts'
import { openStore, type Store } from '../../../store/store.ts'
import { versionQueries } from './store.ts'
import { migrations } from './testing/tables.ts'

const websites = {
  name: '202600000001-websites',
  statements: [
    'create table websites (domain text primary key)',
    "insert into websites values ('kept.test')",
  ],
}
const at = '2026-01-02T03:04:05.678Z'

let server: PostgresServer
before(async () => {
  server = await startPostgresServer()
})
after(() => server.remove())

/** Has the same asked of both stores. */
async function onBoth<Answer>(ask: (store: Store) => Promise<Answer>): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  const name = `history_${Date.now()}`
  await server.query('postgres', `create database ${name} template template0`)
  for (const databaseUrl of [undefined, `${server.url}/${name}`]) {
    const store = await openStore({
      migrations: [...migrations, websites],
      now: new Date(),
      ...(databaseUrl && { databaseUrl }),
    })
    answers.push(await ask(store).finally(() => store.close()))
  }
  return answers
}

const version = (id: number, pathBytes: string) => ({
  ...{ id, owner_id: 1, path: pathBytes, path_bytes: pathBytes, sha256: 'a', size_bytes: 1, stored_bytes: 1 },
  ...{ mode: 0o644, not_kept: null, written_at: at, written_by: 1, written_through: 'write' as const },
  ...{ replaced_at: at, replaced_by: 1, replaced_through: 'write' as const },
})
const head = (pathBytes: string, etag: string) => ({
  ...{ owner_id: 1, path_bytes: pathBytes, etag, written_at: at, written_by: 1 },
  written_through: 'write' as const,
})

it('finds the folders of former websites beside a file that is directly in their folder', async () => {
  const paths = ['sites/robots.txt', 'sites/gone.test/index.html', 'sites/kept.test/index.html', 'elsewhere']
  const found = await onBoth(async (store) => {
    const queries = versionQueries(store)
    await queries.insert(paths.map((path, index) => version(index + 1, path)))
    return queries.formerSites()
  })
  const wanted = [{ ownerId: 1, folderBytes: 'sites/gone.test' }]
  assert.deepEqual(found, [wanted, wanted])
})

it('keeps versions and heads of the longest paths, whatever their characters', async () => {
  // of hashes and of Chinese characters, one character per byte, which no compression makes short
  let state = 1
  const bytes = Array.from({ length: 4000 }, () => (state = (state * 48_271) % 2_147_483_647) % 256)
  const long = String.fromCharCode(...bytes.map((byte) => (byte === 0 || byte === 47 ? 1 : byte)))
  const found = await onBoth(async (store) => {
    const queries = versionQueries(store)
    await queries.insert([version(1, long)])
    await queries.setHeads([head(long, 'first'), head('short', 'other')])
    await queries.setHeads([head(long, 'second')])
    const { total } = await queries.page({ page: 1, per_page: 10, sort: 'id' }, 1, long)
    const heads = [long, 'short'].map((pathBytes) => queries.head({ ownerId: 1, pathBytes }))
    return { total, etags: (await Promise.all(heads)).map((each) => each?.etag) }
  })
  const wanted = { total: 1, etags: ['second', 'other'] }
  assert.deepEqual(found, [wanted, wanted])
})
