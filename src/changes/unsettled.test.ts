import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { type InterceptedWrites, interceptWrites, noRoom } from '../../test/faults/intercepted-writes.ts'
import { change, step, type StepKind } from '../core/change.ts'
import { type Lock, lock, singleLock } from '../core/lock.ts'
import type { Store } from '../store/store.ts'
import { type Executor, openExecutor } from './executor.ts'
import {
  fileState,
  files,
  fileStep,
  fiveSteps,
  kindsOf,
  layOut,
  openParcels,
  orderOf,
  parcelLock,
  quiet,
} from './testing/parcel.ts'

const otherLock = singleLock('other')
const boxLock = lock('test box')

const former = files.map(({ before }) => before)
const wanted = files.map(({ wanted: text }) => text)
const full = { message: /no room is left on the disk/ }
const kind = fileStep('file.write')
const idempotency = { key: 'k-1', digest: 'd-1' }

let directory: string
let writes: InterceptedWrites
let store: Store
beforeEach(async () => {
  directory = mkdtempSync('/tmp/hostreeve-unsettled-')
  layOut(directory)
  writes = interceptWrites(`${directory}/var/hostreeve.db`)
  store = await openParcels(`${directory}/var`)
})
afterEach(async () => {
  writes.intercept = undefined
  await store.close()
  writes.end()
  rmSync(directory, { recursive: true })
})

/** Makes the next writes that contain this text fail, as many as given. */
function fill(times = Infinity, text = /./): void {
  let failed = 0
  writes.intercept = (sql, carryOut) => {
    if (text.test(sql) && ++failed <= times) throw noRoom()
    carryOut()
  }
}
const makeRoom = () => (writes.intercept = undefined)
const endings = /^update "changes" .*"idempotency_key"/

/** An executor whose disk is full once the steps have acted, each time or the first time. */
function filling({ retryMs = 3_600_000, times = Infinity, isOnce = false } = {}): Executor {
  let isFilled = false
  const onPoint = (point: string) => {
    if (point !== 'acted' || (isOnce && isFilled)) return
    isFilled = true
    fill(times)
  }
  return openExecutor({ store, log: quiet, retryMs, onPoint })
}
const send = (executor: Executor, written: StepKind<any, any, any> = kind) =>
  executor.execute(orderOf(async () => fiveSteps(store, directory, written), { idempotency }))
const outcomes = async () =>
  (await store.db.selectFrom('changes').select(['state', 'outcome']).orderBy('id').execute()).map(
    ({ state, outcome }) => outcome ?? state,
  )
const locked = (held: Lock) =>
  orderOf(async () => change({ summary: held, locks: [held], steps: [step(still, null)], reply: held }))

/** A step that does nothing. */
const still: StepKind<null, null, void> = {
  name: 'still',
  plan: () => ({ title: 'still' }),
  observe: async () => null,
  act: async () => {},
  undo: async () => {},
  check: async () => 'wanted',
}

/** The step that writes a file, except that the one on b cannot be undone while the disk is full. */
const stuckWithoutRoom: StepKind<any, any, any> = {
  ...kind,
  undo: async (args, before) => {
    if (args.path.endsWith('b') && writes.intercept !== undefined) throw new Error('b: no space left')
    await kind.undo(args, before)
  },
}

const failing = () =>
  change({
    summary: 'fails',
    locks: [parcelLock],
    steps: [step({ ...still, act: async () => Promise.reject(new Error('no')) }, null)],
    reply: 1,
  })

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const limit = performance.now() + 60_000
  while (!(await isSo())) {
    assert.ok(performance.now() < limit, 'it did not come about within 10 s')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('a change whose end met a full disk', () => {
  it('is undone on the host, keeps its locks and its key, and lets other changes be', async () => {
    const executor = filling({ isOnce: true })
    await assert.rejects(send(executor), full)
    assert.deepEqual([fileState(directory), await outcomes()], [former, ['intended']])
    await assert.rejects(send(executor), full)
    await assert.rejects(executor.execute(locked(parcelLock)), full)
    await assert.rejects(executor.execute({ ...locked(otherLock), idempotency }), full)
    fill(Infinity, endings)
    assert.equal((await executor.execute(locked(otherLock))).reply, 'other')
    assert.deepEqual(await outcomes(), ['intended', 'ok'])
  })

  it('is settled before the next change that needs its locks, which then succeeds with the same key', async () => {
    const executor = filling({ isOnce: true })
    await assert.rejects(send(executor), full)
    makeRoom()
    assert.equal((await send(executor)).isRepeat, false)
    assert.deepEqual([fileState(directory), await outcomes()], [wanted, ['restored', 'ok']])
    const recoveries = await openExecutor({ store, log: quiet }).recover(kindsOf(kind))
    assert.deepEqual([recoveries, fileState(directory)], [[], wanted])
    const entries = await store.db.selectFrom('activity').select('status').orderBy('id').execute()
    assert.deepEqual(
      entries.map(({ status }) => status),
      ['restored', 'ok'],
    )
  })

  it('is settled in the background as soon as there is room', async () => {
    const executor = filling({ retryMs: 5 })
    await assert.rejects(send(executor), full)
    makeRoom()
    await until(async () => (await outcomes())[0] === 'restored')
    await executor.close()
  })

  it('is settled when the panel is stopped', async () => {
    const executor = filling()
    await assert.rejects(send(executor), full)
    makeRoom()
    await executor.close()
    assert.deepEqual(await outcomes(), ['restored'])
  })

  it('is undone again where an undo met the full disk too', async () => {
    const executor = filling()
    await assert.rejects(send(executor, stuckWithoutRoom), full)
    assert.deepEqual(fileState(directory), [former[0], wanted[1], ...former.slice(2)])
    makeRoom()
    await executor.close()
    assert.deepEqual([fileState(directory), await outcomes()], [former, ['restored']])
  })

  it('is seen as it ended by a change that needs its lock, also where that was decided before', async () => {
    const executor = filling({ isOnce: true })
    await assert.rejects(send(executor, stuckWithoutRoom), full)
    const seen: unknown[] = []
    const decide = async () => {
      seen.push(fileState(directory)[1])
      makeRoom()
      return fiveSteps(store, directory, kind)
    }
    await executor.execute(orderOf(decide))
    assert.deepEqual([seen, fileState(directory)], [[wanted[1], former[1]], wanted])
  })

  it('makes a change that waits for its lock wait until it is settled', async () => {
    const executor = filling({ times: 2, isOnce: true }) // once when settling, once when giving up
    const parcel = () => executor.execute(orderOf(async () => fiveSteps(store, directory, kind)))
    const [first, second] = await Promise.allSettled([parcel(), parcel()])
    assert.deepEqual([first.status, second.status], ['rejected', 'fulfilled'])
    assert.deepEqual([fileState(directory), await outcomes()], [wanted, ['restored', 'ok']])
  })

  it('stops every change once there are too many to keep', async () => {
    const executor = filling()
    for (let at = 0; at < 100; at++) {
      fill(Infinity, endings)
      await assert.rejects(executor.execute(locked(boxLock(at))), full)
    }
    fill(Infinity, endings)
    await assert.rejects(executor.execute(locked(boxLock('another'))), full)
    assert.deepEqual(await outcomes(), Array(100).fill('intended'))
    makeRoom()
    await executor.close()
    assert.deepEqual(await outcomes(), Array(100).fill('restored'))
  })
})

describe('a change without steps that met a full disk', () => {
  it('leaves nothing, and may be sent again', async () => {
    const executor = openExecutor({ store, log: quiet })
    const counted = () => orderOf(async () => change({ summary: 'rows', reply: 1 }), { idempotency })
    fill()
    await assert.rejects(executor.execute(counted()), full)
    makeRoom()
    assert.equal((await executor.execute(counted())).isRepeat, false)
  })
})

describe('recovery', () => {
  const cutOff = async (locks: readonly Lock[]) => {
    const onPoint = (point: string) => {
      if (point === 'acted') throw new Error('cut off')
    }
    const decide = async () => ({ ...fiveSteps(store, directory, kind), locks })
    await assert.rejects(openExecutor({ store, log: quiet, onPoint }).execute(orderOf(decide)), /cut off/)
  }
  const recover = () => openExecutor({ store, log: quiet }).recover(kindsOf(kind))
  const repeat = () =>
    openExecutor({ store, log: quiet }).execute(orderOf(async () => fiveSteps(store, directory, kind)))

  it('neither undoes nor completes a change whose lock a later one has held', async () => {
    await cutOff([otherLock, parcelLock])
    await repeat()
    const [recovery, ...others] = await recover()
    assert.deepEqual([recovery?.outcome, others, fileState(directory)], ['failed', [], wanted])
    assert.match(recovery?.message ?? '', /change 2 has held the same locks since, so nothing was undone/)
    assert.deepEqual(await outcomes(), ['failed', 'ok'])
  })

  it('undoes a change when later ones held other locks, or were undone', async () => {
    await cutOff([parcelLock])
    layOut(directory)
    const executor = openExecutor({ store, log: quiet })
    await executor.execute(locked(otherLock))
    await assert.rejects(executor.execute(orderOf(async () => failing())), /no/)
    assert.deepEqual(
      (await recover()).map(({ changeId, outcome }) => [changeId, outcome]),
      [[1, 'restored']],
    )
    assert.deepEqual(await outcomes(), ['restored', 'ok', 'restored'])
  })

  it('touches nothing where an older panel stored no locks and anything was changed since', async () => {
    await cutOff([parcelLock])
    await openExecutor({ store, log: quiet }).execute(locked(otherLock))
    await store.db.updateTable('changes').set({ locks: null }).execute()
    assert.equal((await recover())[0]?.outcome, 'failed')
    assert.deepEqual(fileState(directory), wanted)
  })

  for (const [way, ended, state] of [
    ['completes', 'ok', wanted],
    ['undoes', 'restored', former],
  ] as const) {
    it(`on a full disk starts the panel, and ${way} the change when there is room`, async () => {
      await cutOff([parcelLock])
      if (ended === 'restored') rmSync(`${directory}/e`)
      fill()
      const executor = openExecutor({ store, log: quiet, retryMs: 3_600_000 })
      assert.deepEqual(await executor.recover(kindsOf(kind)), [])
      await assert.rejects(executor.execute(locked(parcelLock)), full)
      makeRoom()
      await executor.execute(locked(parcelLock))
      assert.deepEqual([await outcomes(), fileState(directory)], [[ended, 'ok'], state])
    })
  }
})
