import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { until } from '../../test/support/until.ts'
import { test, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openTestPanel } from '../../test/support/panel.ts'
import { countHistory, historyCounts, storeHistory } from './testing/history.ts'

const skip = process.env['HOSTREEVE_LONG']
  ? false
  : 'waits for the hour of pruning four times: HOSTREEVE_LONG=1 npm run test:tools -- clock-process'
const program = fileURLToPath(new URL('main.ts', import.meta.url))
const preload = new URL('./testing/moved-clock.ts', import.meta.url).href
const dayMs = 86_400_000
const today = Math.floor(Date.now() / dayMs) * dayMs
/** Before the log is pruned, at 03:41, by more than the 30 s in which a schedule notices that the clock was moved. */
const beforePruning = (dayStart: number) => dayStart + (3 * 3600 + 40 * 60 + 20) * 1000

const moves = [
  ['an hour ahead', beforePruning(today)],
  ['a day back', beforePruning(today - dayMs)],
  ['400 days ahead', beforePruning(today + 400 * dayMs)],
  ['to 2040', beforePruning(Date.UTC(2040, 0))],
] as const

/** A panel with a history, in a process whose clock the test sets. */
async function startPanel(t: TestContext, timeMs: number) {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-clock-`)
  const dataDir = `${folder}/data`
  const setClock = (ms: number) => {
    writeFileSync(`${folder}/next`, String(ms - Date.now()))
    renameSync(`${folder}/next`, `${folder}/clock`)
  }
  setClock(timeMs)
  const first = await openTestPanel({ dataDir })
  await storeHistory(first.store, { userId: first.admin.id, until: timeMs })
  const { admin } = first
  const before = await countHistory(first.store)
  await first.close()
  const env = { PATH: process.env['PATH'], MOVED_CLOCK_FILE: `${folder}/clock`, HOSTREEVE_DATA_DIR: dataDir }
  const settings = { HOSTREEVE_PORT: '0', HOSTREEVE_TLS: 'off', HOSTREEVE_LOG_LEVEL: 'error' }
  const panel = spawn(process.execPath, ['--import', preload, program, 'serve'], {
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => panel.once('exit', resolve))
  t.after(async () => {
    panel.kill()
    await ended
    rmSync(folder, { recursive: true })
  })
  const address = await new Promise<string>((resolve, reject) => {
    createInterface({ input: panel.stdout }).on('line', (line) => {
      const ready = /is ready at (\S+)/.exec(line)?.[1]
      if (ready !== undefined) resolve(ready)
    })
    void ended.then(() => reject(new Error('the panel ended before it was ready')))
  })
  return { address, admin, before, dataDir, setClock }
}

test(
  'a panel whose clock is moved while it runs keeps its history',
  { skip, timeout: 600_000 },
  async (t) => {
    const { address, admin, before, dataDir, setClock } = await startPanel(t, moves[0][1] - 3_600_000)
    const db = new DatabaseSync(`${dataDir}/hostreeve.db`, { readOnly: true })
    t.after(() => db.close())
    const pruned = db.prepare(
      "select count(*) as count from jobs where kind = 'activity.prune' and state = 'succeeded'",
    )
    const signIn = () =>
      fetch(`${address}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: admin.email, password: admin.password }),
      })
    for (const [index, [name, timeMs]] of moves.entries()) {
      setClock(timeMs)
      const isPruned = async () => {
        assert.equal((await fetch(`${address}/healthz`)).status, 200)
        return Number(pruned.get()?.['count']) > index
      }
      await until(isPruned, { limitMs: 90_000, everyMs: 250, awaited: `${name}: the log to be pruned` })
      assert.deepEqual([name, { ...db.prepare(historyCounts).get() }], [name, before])
      assert.equal((await signIn()).status, 200, name)
    }
  },
)
