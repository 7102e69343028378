import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { describe, it } from 'node:test'
import { verifyActivity } from '../../src/changes/activity.ts'
import { type FaultBench, makeHost, openFaultBench } from './bench.ts'
import { noRoom } from './intercepted-writes.ts'
import { type ChangeKind, changeKinds } from './kinds.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: makes accounts and works under other uids'
const mostWrites = 60
const timeout = 60_000

/** Sends a request while every write from this one on fails; returns true if any write failed. */
async function askOnFullDisk(bench: FaultBench, kind: ChangeKind, write: number): Promise<boolean> {
  let written = 0
  bench.writes.intercept = (_sql, carryOut) => {
    if (++written >= write) throw noRoom()
    carryOut()
  }
  const { status } = await kind.ask(bench, write, `key-${write}`)
  bench.writes.intercept = undefined
  assert.ok([507, kind.status].includes(status), `${status} at write ${write}`)
  return written >= write
}

/**
 * Runs a change with a full disk from each write on, and repeats it once there is space; returns the number
 * of runs.
 */
async function failEachWrite(bench: FaultBench, kind: ChangeKind): Promise<number> {
  for (let write = 1; write < mostWrites; write++) {
    await kind.prepare?.(bench, write)
    const wasFull = await askOnFullDisk(bench, kind, write)
    if (!wasFull) return write
    const { status, text } = await kind.ask(bench, write, `key-${write}`)
    assert.equal(status, kind.status, `full at write ${write}, then sent again: ${text}`)
    assert.deepEqual(new Set(await kind.isDone(bench, write)), new Set([true]), `full at write ${write}`)
  }
  throw new Error(`${kind.name} made more than ${mostWrites} writes`)
}

const settled = async ({ panel }: FaultBench) => ({
  unsettled: await panel.store.db
    .selectFrom('changes')
    .select('id')
    .where('state', '=', 'intended')
    .execute(),
  isWhole: (await verifyActivity(panel.store, new AbortController().signal)).ok,
})

describe('a disk that is full from a write of the store on, then has room', { skip }, () => {
  for (const kind of changeKinds) {
    it(
      `lets ${kind.name} succeed when it is sent again, and no restart undoes it`,
      { timeout },
      async (context) => {
        const directory = makeHost()
        context.after(() => rmSync(directory, { recursive: true, force: true }))
        const bench = await openFaultBench(directory)
        const times = await failEachWrite(bench, kind)
        assert.ok(times > 5, `only ${times} writes were met`)
        assert.deepEqual(await settled(bench), { unsettled: [], isWhole: true })
        await bench.close()
        const again = await openFaultBench(directory)
        assert.deepEqual(again.panel.recoveries, [])
        for (let write = kind.isOneThing ? times : 1; write <= times; write++)
          assert.deepEqual(new Set(await kind.isDone(again, write)), new Set([true]), `of write ${write}`)
        await again.close()
      },
    )
  }
})
