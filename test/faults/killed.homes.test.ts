import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { fileURLToPath } from 'node:url'
import { verifyActivity } from '../../src/changes/activity.ts'
import { poll } from '../hosts/harness/poll.ts'
import { copyHost, type FaultBench, makeHost, openFaultBench } from './bench.ts'
import { noRoom } from './intercepted-writes.ts'
import { type ChangeKind, changeKinds } from './kinds.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: makes accounts and works under other uids'
const timeout = 60_000
const fixture = fileURLToPath(new URL('killed-panel.fixture.ts', import.meta.url))

function host(context: TestContext): string {
  const directory = makeHost()
  context.after(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/**
 * Copies the host before and after each commit of a change; answers the copies. Between two commits the writes of a transaction
 * follow each other without a pause, and none of them counts before its commit.
 */
async function copyAtEachCommit(bench: FaultBench, kind: ChangeKind, directory: string) {
  const copies: string[] = []
  const copy = (moment: string) => {
    copies.push(`${directory}-${copies.length} ${moment}`)
    copyHost(directory, copies.at(-1) as string)
  }
  await kind.prepare?.(bench, 0)
  bench.writes.intercept = (sql, carryOut) => {
    const isCommit = /^commit/i.test(sql)
    if (isCommit) copy('before')
    carryOut()
    if (isCommit) copy('after')
  }
  assert.equal((await kind.ask(bench, 0, 'key')).status, kind.status)
  bench.writes.intercept = undefined
  return copies
}

/** Copies the host after a change whose outcome could not be stored because the disk was full. */
async function copyWithFullDisk(bench: FaultBench, kind: ChangeKind, directory: string) {
  await kind.prepare?.(bench, 1)
  bench.writes.intercept = (sql, carryOut) => {
    if (/^update "changes" set "state"/i.test(sql)) throw noRoom()
    carryOut()
  }
  assert.equal((await kind.ask(bench, 1, 'key-1')).status, 507)
  copyHost(directory, `${directory}-full`)
  bench.writes.intercept = undefined
  return `${directory}-full`
}

/** Opens a panel that was killed: all that know of its change agree; where it was undone, it can be sent again. */
async function startAgain(directory: string, kind: ChangeKind, at: number): Promise<void> {
  const bench = await openFaultBench(directory)
  const told = new Set(await kind.isDone(bench, at))
  assert.equal(told.size, 1, `host and store disagree ${directory}`)
  if (!told.has(true)) assert.equal((await kind.ask(bench, at, `key-${at}`)).status, kind.status, directory)
  assert.deepEqual(new Set(await kind.isDone(bench, at)), new Set([true]), directory)
  await assertSettled(bench)
  await bench.close()
  rmSync(directory, { recursive: true })
}

async function assertSettled({ panel }: FaultBench): Promise<void> {
  const changes = panel.store.db.selectFrom('changes').select('id').where('state', '=', 'intended')
  assert.deepEqual(await changes.execute(), [])
  assert.equal((await verifyActivity(panel.store, new AbortController().signal)).ok, true)
}

/** Helpers end with their panel, but not in the same moment: until then one may still create what recovery has undone. */
function hasHelpers(directory: string): boolean {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => commandOf(pid).includes(directory))
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // it has ended
  }
}

/** The outcomes of the changes, for the message of a failure. */
async function endsOf({ panel }: FaultBench): Promise<string> {
  const rows = await panel.store.db.selectFrom('changes').select(['summary', 'outcome', 'error']).execute()
  return rows.map(({ summary, outcome, error }) => `${summary}: ${outcome} ${error ?? ''}`).join('; ')
}

describe('a host whose panel was killed at any write of a change', { skip }, () => {
  for (const kind of changeKinds) {
    it(`has ${kind.name} done or undone after the next start`, { timeout }, async (context) => {
      const directory = host(context)
      const bench = await openFaultBench(directory)
      const copies = await copyAtEachCommit(bench, kind, directory)
      for (const copy of copies) await startAgain(copy, kind, 0)
      if (copies.length > 2) await startAgain(await copyWithFullDisk(bench, kind, directory), kind, 1)
      else assert.ok(kind.isOneThing, 'only rows alone are written by one commit')
      await bench.close()
    })
  }

  for (const writes of [12, 30, 48]) {
    it(
      `agrees with the store when six changes were under way, after ${writes} writes`,
      { timeout },
      async (context) => {
        const directory = host(context)
        const child = spawn(process.execPath, [fixture, directory, String(writes)], { stdio: 'ignore' })
        const [, signal] = (await once(child, 'exit')) as [number | null, string | null]
        assert.equal(signal, 'SIGKILL')
        await poll('the helpers of the killed panel', 10_000, async () => !hasHelpers(directory) || undefined)
        const bench = await openFaultBench(directory)
        for (const kind of changeKinds) {
          const seen = await kind.isDone(bench, kind.prepare ? 0 : 1)
          assert.equal(new Set(seen).size, 1, `${kind.name}: ${seen.join(', ')}; ${await endsOf(bench)}`)
        }
        await assertSettled(bench)
        await bench.close()
      },
    )
  }
})
