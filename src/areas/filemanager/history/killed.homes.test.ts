import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openContents } from '../../../host/contents.ts'
import { openStore } from '../../../store/store.ts'
import { History } from './history.ts'
import { migrations, textOf } from './testing/tables.ts'
import { defaultLimits } from './limits.ts'
import { versionQueries } from './store.ts'

const uid = 61_043
const program = fileURLToPath(new URL('./testing/killed.ts', import.meta.url))
const log = { info() {}, warn() {}, error() {} }

describe(
  'the history after the panel is killed',
  { skip: process.getuid?.() === 0 ? false : 'needs root: works under other uids' },
  () => {
    const root = mkdtempSync(join(tmpdir(), 'killed-'))
    chmodSync(root, 0o755)
    after(() => rmSync(root, { recursive: true, force: true }))

    for (let round = 0; round < 3; round++)
      it(`has only complete versions and no leftovers (kill ${round + 1})`, async () => {
        const [dataDir, home] = [join(root, `data-${round}`), join(root, `home-${round}`)]
        mkdirSync(home)
        chownSync(home, uid, uid)
        const rounds = await runAndKill([dataDir, home, String(uid)], 12 + round, round * 7)
        const store = await openStore({ dataDir, migrations, now: new Date() })
        const queries = versionQueries(store)
        const contents = openContents(`${dataDir}/history`)
        const history = new History({
          store,
          queries,
          contents,
          limits: { ...defaultLimits, maxVersions: 5 },
          log,
        })
        try {
          await history.versionQuota.tidy(new Date())
          const { items } = await queries.page({ page: 1, per_page: 100, sort: '-id' }, 1)
          assert.equal(items.length, 5)
          assert.ok(store.nextId('file_versions') > items[0]!.id, 'an id would be given again')
          const texts = await Promise.all(items.map(async (row) => (await history.contentOf(row)).toString()))
          for (const text of texts) assert.equal(text, textOf(Number(/\d+$/.exec(text)?.[0])))
          const existing = new Set(
            ['file-0', 'file-1'].map((name) =>
              Number(/\d+$/.exec(readFileSync(join(home, name), 'utf8'))?.[0]),
            ),
          )
          // the last reported turn, and the content of two turns earlier that it replaced, must be on disk or in the history
          for (const each of [rounds, rounds - 1, rounds - 2])
            assert.ok(existing.has(each) || texts.includes(textOf(each)), `${each} is lost`)
          const stored = readdirSync(join(dataDir, 'history'), {
            recursive: true,
            withFileTypes: true,
          }).filter((entry) => entry.isFile())
          assert.deepEqual(
            stored.map(({ name }) => name).toSorted(),
            [...(await queries.wanted(1))].map((sha256) => `${sha256}.zst`).toSorted(),
          )
        } finally {
          await store.close()
        }
      })
  },
)

/** Runs the panel until it has reported `atLeast` turns, kills it a little later, and returns the last reported turn. */
async function runAndKill(args: readonly string[], atLeast: number, laterMs: number): Promise<number> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 300_000,
  })
  let last = -1
  child.stdout.on('data', (part: Buffer) => {
    const reported = Number(part.toString().trim().split('\n').at(-1))
    if (last < atLeast && reported >= atLeast) setTimeout(() => child.kill('SIGKILL'), laterMs)
    last = reported
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  assert.deepEqual([code, signal], [null, 'SIGKILL'])
  return last
}
