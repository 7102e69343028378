import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { after, beforeEach, afterEach, describe, it } from 'node:test'
import { actingStep } from '../core/acting.ts'
import { type Change, change, refusedChange, step, type StepKind } from '../core/change.ts'
import { type Lock, lock, singleLock } from '../core/lock.ts'
import { problem } from '../core/problem.ts'
import { from } from '../core/returned.ts'
import type { Store } from '../store/store.ts'
import { verifyActivity } from './activity.ts'
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
  quiet,
} from './testing/parcel.ts'
import { forgetOldWork } from './retention.ts'

const counterLock = singleLock('counter')
const shelfLock = lock('shelf')

const directory = mkdtempSync('/tmp/hostreeve-executor-')
after(() => rmSync(directory, { recursive: true }))
const former = files.map(({ before }) => before)
const wanted = files.map(({ wanted: text }) => text)
const Broken = problem('broken', 500, 'The step broke')

let store: Store
let executor: Executor
beforeEach(async () => {
  layOut(directory)
  store = await openParcels()
  executor = openExecutor({ store, log: quiet })
})
afterEach(() => store.close())

const changeRow = async () => ({
  ...(await store.db.selectFrom('changes').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()),
})
const lastEntry = async () => ({
  ...(await store.db.selectFrom('activity').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow()),
})
const sent = async () =>
  (await store.db.selectFrom('parcels').select('id').where('label', '=', 'sent').execute()).length

/** The file step, except that the one on file `name` fails half-way, and every undo is recorded. */
function failing(name: string, undone: string[] = []): StepKind<any, any, any> {
  const kind = fileStep('file.write', ({ path }) => {
    if (path.endsWith(name)) throw Broken(`${name} broke`)
  })
  return {
    ...kind,
    undo: async (args: { path: string }, before: string | null) => {
      undone.push(args.path.at(-1) as string)
      await kind.undo(args as never, before)
    },
  }
}

describe('a kind of step that is not registered', () => {
  it('is refused before anything is intended, and has no plan', async () => {
    const kind = fileStep('file.write')
    const strict = openExecutor({ store, log: quiet, isRegistered: (each) => each === kind })
    const twin = async () => fiveSteps(store, directory, { ...kind })
    const refusal = /step kind file\.write is not registered/
    await assert.rejects(strict.execute(orderOf(twin)), refusal)
    await assert.rejects(strict.plan(twin), refusal)
    assert.deepEqual(await store.db.selectFrom('changes').selectAll().execute(), [])
    assert.deepEqual(fileState(directory), former)
    await strict.execute(orderOf(async () => fiveSteps(store, directory, kind)))
  })
})

describe('a change that succeeds', () => {
  it('does its steps in order, writes rows, job, change and activity entry, and answers', async () => {
    const outcome = await executor.execute(
      orderOf(async () => fiveSteps(store, directory, fileStep('file.write'))),
    )
    assert.deepEqual(outcome, {
      changeId: 1,
      reply: { id: 1 },
      activityId: 1,
      isUndoable: true,
      isRepeat: false,
    })
    assert.deepEqual(fileState(directory), wanted)
    const { state, outcome: how, error } = await changeRow()
    assert.deepEqual({ state, how, error }, { state: 'settled', how: 'ok', error: null })
    const { status, change_id, action, message } = await lastEntry()
    assert.deepEqual(
      { status, change_id, action, message },
      { status: 'ok', change_id: 1, action: 'parcel_sent', message: 'Send a parcel' },
    )
    assert.deepEqual(
      (await store.db.selectFrom('jobs').select(['kind', 'state']).execute()).map((row) => ({ ...row })),
      [{ kind: 'parcel.deliver', state: 'queued' }],
    )
  })

  it('hands the results of its steps and the ids of its jobs to its reply', async () => {
    const five = fiveSteps(store, directory, fileStep('file.write'))
    const { reply } = await executor.execute(
      orderOf(async () => ({ ...five, reply: (done: unknown) => done })),
    )
    assert.deepEqual(reply, {
      jobIds: [1],
      results: files.map(({ name }) => ({ wrote: `${directory}/${name}` })),
    })
  })

  it('keeps what was before sealed: no text of the files stands readable in the store', async () => {
    await executor.execute(orderOf(async () => fiveSteps(store, directory, fileStep('file.write'))))
    assert.ok(!JSON.stringify(await changeRow()).includes('old a'))
  })
})

describe('a decision', () => {
  it('that writes is refused, for the change and for its plan', async () => {
    const decide = async () => {
      const five = fiveSteps(store, directory, fileStep('file.write'))
      await store.transaction((tx) => store.write(tx, five.rows))
      return five
    }
    const rule = /A decision writes to the store/
    await assert.rejects(executor.execute(orderOf(decide)), rule)
    await assert.rejects(executor.plan(decide), rule)
    assert.deepEqual([await sent(), fileState(directory)], [0, former])
  })

  it('may refuse and write rows, which its plan does not; a repeat with the same key is decided anew', async () => {
    const { rows } = fiveSteps(store, directory, fileStep('file.write'))
    const decide = async () =>
      (await sent()) === 0
        ? refusedChange({ summary: 'Send a parcel and refuse', locks: [counterLock], rows }, Broken())
        : refusedChange({ summary: 'Refuse', locks: [], rows: [] }, Broken('again'))
    await assert.rejects(executor.plan(decide), Broken())
    assert.equal(await sent(), 0)
    const idempotency = { key: 'one', digest: 'a' }
    await assert.rejects(executor.execute(orderOf(decide, { idempotency })), Broken())
    assert.equal(await sent(), 1)
    assert.deepEqual(
      [(await lastEntry()).status, (await lastEntry()).message],
      ['ok', 'Send a parcel and refuse'],
    )
    await assert.rejects(executor.execute(orderOf(decide, { idempotency })), Broken('again'))
  })
})

describe('a change whose step fails', () => {
  for (const [index, { name }] of files.entries()) {
    it(`undoes the steps before it in reverse and leaves no row when it is the step on ${name}`, async () => {
      const undone: string[] = []
      await assert.rejects(
        executor.execute(orderOf(async () => fiveSteps(store, directory, failing(name, undone)))),
        {
          message: `${name} broke. Nothing was changed.`,
        },
      )
      assert.deepEqual(
        undone,
        files
          .slice(0, index + 1)
          .map((file) => file.name)
          .toReversed(),
      )
      assert.deepEqual([fileState(directory), await sent()], [former, 0])
      const { state, outcome } = await changeRow()
      const { status, message } = await lastEntry()
      assert.deepEqual(
        { state, outcome, status, message },
        { state: 'settled', outcome: 'restored', status: 'restored', message: `${name} broke` },
      )
    })
  }

  it('is failed, with the words of both, when an undo fails too; the other undos still happen', async () => {
    const kind = failing('d')
    const stuck = {
      ...kind,
      undo: async (args: { path: string }, before: unknown) =>
        args.path.endsWith('b') ? Promise.reject(new Error('b is stuck')) : kind.undo(args, before),
    }
    await assert.rejects(executor.execute(orderOf(async () => fiveSteps(store, directory, stuck))))
    assert.deepEqual(fileState(directory), [former[0], wanted[1], ...former.slice(2)])
    const { outcome, error } = await changeRow()
    assert.deepEqual(
      { outcome, error, status: (await lastEntry()).status },
      { outcome: 'failed', error: 'd broke; undo: b is stuck', status: 'failed' },
    )
  })

  it('keeps the text of a bug out of the records', async () => {
    const kind = {
      ...fileStep('file.write'),
      act: async () => Promise.reject(new Error('secret path /root/x')),
    }
    await assert.rejects(executor.execute(orderOf(async () => fiveSteps(store, directory, kind))))
    assert.equal((await lastEntry()).message, 'internal error')
  })

  it('is undone when its rows conflict at the end', async () => {
    const five = fiveSteps(store, directory, fileStep('file.write'))
    const stale = {
      ...five,
      rows: [
        ...five.rows,
        { write: 'update' as const, table: 'parcels', where: { id: 900, revision: 77 }, set: { label: 'x' } },
      ],
    }
    await assert.rejects(executor.execute(orderOf(async () => stale)), {
      message: 'The resource has changed: read it again and retry',
    })
    assert.deepEqual(
      [fileState(directory), await sent(), (await changeRow()).outcome],
      [former, 0, 'restored'],
    )
  })

  it('is undone when its time is up between two steps', async () => {
    const leaving = new AbortController()
    const kind = fileStep('file.write', ({ path }) => path.endsWith('b') && leaving.abort(Broken('gone')))
    await assert.rejects(
      executor.execute(orderOf(async () => fiveSteps(store, directory, kind), { actSignal: leaving.signal })),
      {
        message: 'gone. Nothing was changed.',
      },
    )
    assert.deepEqual([fileState(directory), (await changeRow()).outcome], [former, 'restored'])
  })

  it('names no change in its entry when it had no steps and so was never recorded', async () => {
    await executor.execute(orderOf(async () => change({ summary: 'ok', reply: 1 })))
    const conflicting = change({
      summary: 'no',
      rows: [{ write: 'update', table: 'parcels', where: { id: 5 }, set: { label: 'x' } }],
      reply: 1,
    })
    await assert.rejects(executor.execute(orderOf(async () => conflicting)))
    const { change_id, status } = await lastEntry()
    assert.deepEqual({ change_id, status }, { change_id: null, status: 'restored' })
  })
})

it('a change that could not be decided leaves no trace', async () => {
  await assert.rejects(executor.execute(orderOf(async () => Promise.reject(Broken('not now')))), {
    message: 'not now',
  })
  const { total } = await store.db
    .selectFrom('activity')
    .select((row) => row.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  assert.equal(total, 0)
})

it('a plan tells steps, rows and jobs, and changes nothing', async () => {
  const plan = await executor.plan(async () => fiveSteps(store, directory, fileStep('file.write')))
  assert.equal(plan.steps.length, 5)
  assert.deepEqual(plan.rows[0], { write: 'insert', table: 'parcels', columns: ['id', 'label', 'revision'] })
  assert.deepEqual([plan.jobs, plan.is_reversible], [['Deliver'], true])
  assert.deepEqual([fileState(directory), await sent()], [former, 0])
  assert.equal((await store.db.selectFrom('changes').select('id').execute()).length, 0)
})

it('a plan tells what a look at the host says of its steps, and fails where that refuses', async () => {
  const preview = async () => ({ details: ['Makes one file of 3 bytes'] })
  const plan = await executor.plan(async () =>
    fiveSteps(store, directory, { ...fileStep('file.write'), preview }),
  )
  assert.deepEqual(plan.steps[0], {
    ...(await fileStep('file.write').plan({} as never)),
    ...plan.steps[0],
    details: ['Makes one file of 3 bytes'],
  })
  const refused = { ...fileStep('file.write'), preview: async () => Promise.reject(new Error('it is taken')) }
  await assert.rejects(
    executor.plan(async () => fiveSteps(store, directory, refused)),
    /it is taken/,
  )
})

it('a plan with a step that cannot be undone says so', async () => {
  const kind = { ...fileStep('file.burn'), plan: () => ({ title: 'Burn', irreversible: 'ash' }) }
  assert.equal((await executor.plan(async () => fiveSteps(store, directory, kind))).is_reversible, false)
})

describe('two changes', () => {
  const counted = async (): Promise<Change<number>> => {
    const { revision } = await store.db
      .selectFrom('parcels')
      .select('revision')
      .where('id', '=', 900)
      .executeTakeFirstOrThrow()
    const pause: StepKind<null, null, void> = {
      name: 'pause',
      plan: () => ({ title: 'pause' }),
      observe: async () => null,
      undo: async () => {},
      check: async () => 'wanted',
      act: () => new Promise((resolve) => setImmediate(resolve)),
    }
    return change({
      summary: 'count',
      locks: [counterLock],
      steps: [step(pause, null)],
      rows: [
        { write: 'update', table: 'parcels', where: { id: 900, revision }, set: { revision: revision + 1 } },
      ],
      reply: revision,
    })
  }

  it('on one name are carried out one after another, and the later ones decide again', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => executor.execute(orderOf(counted))))
    assert.deepEqual(
      outcomes.map(({ reply }) => reply).toSorted((a, b) => a - b),
      [1, 2, 3, 4, 5, 6, 7, 8],
    )
  })

  it('that name the same locks in opposite order both end', async () => {
    const both = (locks: readonly Lock[]) =>
      executor.execute(orderOf(async () => ({ ...(await counted()), locks: [...locks, counterLock] })))
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        both(index % 2 ? [shelfLock('x'), shelfLock('y')] : [shelfLock('y'), shelfLock('x')]),
      ),
    )
    assert.equal(outcomes.length, 10)
  })

  it('decide about different locks the second time and still end', async () => {
    const wandering = async () => {
      const decided = await counted()
      return { ...decided, locks: [counterLock, shelfLock(String(decided.reply))] }
    }
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => executor.execute(orderOf(wandering))))
    assert.equal(new Set(outcomes.map(({ reply }) => reply)).size, 6)
  })

  it('do not wait for one that failed to decide', async () => {
    await assert.rejects(executor.execute(orderOf(async () => Promise.reject(Broken()))))
    assert.equal((await executor.execute(orderOf(counted))).reply, 1)
  })
})

describe('a request with an Idempotency-Key', () => {
  const idempotency = { key: 'k-1', digest: 'd-1' }
  const send = (more: object = {}, kind = fileStep('file.write')) =>
    executor.execute(orderOf(async () => fiveSteps(store, directory, kind), { idempotency, ...more }))

  it('is carried out once; its repeat gets the stored answer', async () => {
    const first = await send()
    const second = await send()
    assert.deepEqual(
      [first.reply, second.reply, second.changeId, second.isRepeat, await sent()],
      [{ id: 1 }, { id: 1 }, first.changeId, true, 1],
    )
  })

  it('is carried out once also where the change has no steps', async () => {
    const plain = () =>
      executor.execute(
        orderOf(async () => change({ summary: 's', reply: store.nextId('x') }), { idempotency }),
      )
    assert.deepEqual([(await plain()).reply, (await plain()).reply], [1, 1])
  })

  it('is refused while the same one runs, and is a conflict with another body, then and later', async () => {
    const first = send()
    await assert.rejects(send(), { message: 'A request with this Idempotency-Key is still running' })
    await assert.rejects(
      send({ idempotency: { key: 'k-1', digest: 'd-2' } }),
      /was used with another request/,
    )
    await first
    await assert.rejects(
      send({ idempotency: { key: 'k-1', digest: 'd-2' } }),
      /was used with another request/,
    )
    assert.equal(await sent(), 1)
  })

  it('belongs to its user: another user may use the same key', async () => {
    await send()
    const other = await send({
      actor: { entry: { ...orderOf(async () => change({ summary: '', reply: 1 })).actor.entry, user_id: 2 } },
    })
    assert.equal(other.isRepeat, false)
  })

  it('may be sent again after it failed', async () => {
    await assert.rejects(send({}, failing('d')))
    assert.equal((await send()).isRepeat, false)
  })

  it('answers that it was done, not with what, when the reply held a secret', async () => {
    const { changeId } = await send({ keepsReply: false })
    assert.equal((await changeRow()).reply, null)
    await assert.rejects(send({ keepsReply: false }), {
      message: /its response is no longer available/,
      fields: { change_id: changeId },
    })
  })

  it('is forgotten after a day', async () => {
    await send()
    await store.db
      .updateTable('changes')
      .set({ created_at: new Date(Date.now() - 25 * 3_600_000).toISOString() })
      .execute()
    assert.equal((await send()).isRepeat, false)
  })
})

describe('recovery', () => {
  const cutOffAfterActing = () =>
    openExecutor({
      store,
      log: quiet,
      onPoint: (point) => {
        if (point === 'acted') throw new Error('cut off')
      },
    })

  it('records as failed, and goes on, where a tool is gone or an undo or a check throws', async () => {
    const kind = fileStep('file.write')
    const cut = cutOffAfterActing()
    await assert.rejects(cut.execute(orderOf(async () => fiveSteps(store, directory, kind))), /cut off/)
    await assert.rejects(
      cut.execute(
        orderOf(async () => ({
          ...fiveSteps(store, directory, { ...kind, name: 'gone.write' }),
          locks: [shelfLock('other')],
        })),
      ),
      /cut off/,
    )
    const broken = { ...kind, check: async () => Promise.reject(new Error('cannot look')) }
    const recoveries = await openExecutor({ store, log: quiet }).recover(kindsOf(broken))
    assert.deepEqual(
      recoveries.map(({ outcome }) => outcome),
      ['failed', 'restored'],
    )
    assert.match(recoveries[0]?.message ?? '', /no tool of this panel knows the step gone.write/)
    assert.match(recoveries[1]?.message ?? '', /cannot look/)
    assert.equal((await verifyActivity(store, new AbortController().signal)).ok, true)
  })

  it('lets a step that was acting complete what a kill must not leave, before it looks', async () => {
    const kind = fileStep('file.write')
    await assert.rejects(
      cutOffAfterActing().execute(orderOf(async () => fiveSteps(store, directory, kind))),
      /cut off/,
    )
    const calls: string[] = []
    const recovering: StepKind<any, any, any> = {
      ...kind,
      recover: async ({ path }) => void calls.push(`recover ${path.at(-1)}`),
      check: async (args, before) => (calls.push('check'), kind.check(args, before)),
    }
    const [recovery] = await openExecutor({ store, log: quiet }).recover(kindsOf(recovering))
    assert.equal(recovery?.outcome, 'ok')
    assert.deepEqual(calls.slice(0, 6), [...'abcde'].map((name) => `recover ${name}`).concat('check'))
  })

  it('records as failed what may stand in part and cannot be taken back', async () => {
    const kind = {
      ...fileStep('file.write'),
      plan: () => ({ title: 'Write it', irreversible: 'it is gone' }),
    }
    const cut = cutOffAfterActing()
    await assert.rejects(cut.execute(orderOf(async () => fiveSteps(store, directory, kind))))
    const unsure = { ...kind, undo: async () => {}, check: async () => 'other' as const }
    const [recovery] = await openExecutor({ store, log: quiet }).recover(kindsOf(unsure))
    assert.deepEqual(
      [recovery?.outcome, recovery?.message],
      ['failed', 'cut off by a restart of the panel; Write it: it may stand in part'],
    )
  })

  it('is undone with the tokens of its steps, so that its programs are found', async () => {
    const tokens: (string | undefined)[] = []
    const written = fileStep('file.write')
    const note = () => void tokens.push(actingStep.getStore()?.token)
    const kind: typeof written = {
      ...written,
      undo: async (args, before) => {
        note()
        await written.undo(args, before)
      },
      recover: async () => note(),
      check: async () => 'other',
    }
    const cut = cutOffAfterActing()
    await assert.rejects(cut.execute(orderOf(async () => fiveSteps(store, directory, kind))))
    const [recovery] = await openExecutor({ store, log: quiet }).recover(kindsOf(kind))
    const all = files.map((_, index) => `${recovery?.changeId}:${index}`)
    assert.deepEqual(tokens, [...all, ...all.toReversed()])
  })

  it('records as failed what stands and cannot be taken back, where what it returned is lost', async () => {
    const { promise: acted, resolve } = Promise.withResolvers<void>()
    const written = fileStep('file.write')
    const kind: typeof written = {
      ...written,
      plan: () => ({ title: 'Write it', irreversible: 'it is gone' }),
      undo: async () => {},
      act: async (args, run) => {
        await written.act(args, run)
        resolve()
        return new Promise(() => {}) // the panel is killed here
      },
    }
    const write = step(kind, { path: `${directory}/first`, text: 'text' })
    const reply = from(write, 'wrote')
    const jobs = [{ kind: 'parcel.deliver', input: { reply }, ownerId: 1, title: 'Deliver' }]
    const decide = async () => change({ summary: 'Write', steps: [write], jobs, reply: null })
    void openExecutor({ store, log: quiet }).execute(orderOf(decide))
    await acted
    const [recovery] = await openExecutor({ store, log: quiet }).recover(kindsOf(kind))
    assert.deepEqual(
      [recovery?.outcome, recovery?.message],
      ['failed', 'cut off by a restart of the panel; what a step returned is not known; Write it: it stands'],
    )
  })

  it('undoes a change whose rows no longer fit', async () => {
    const kind = fileStep('file.write')
    const cut = cutOffAfterActing()
    await assert.rejects(cut.execute(orderOf(async () => fiveSteps(store, directory, kind))))
    await store.db.deleteFrom('parcels').execute()
    assert.deepEqual(
      (await openExecutor({ store, log: quiet }).recover(kindsOf(kind))).map(({ outcome }) => outcome),
      ['restored'],
    )
    assert.deepEqual([fileState(directory), await sent()], [former, 0])
  })
})

describe('what was before', () => {
  it('is forgotten after 30 days, not sooner, and the change itself stays', async () => {
    await executor.execute(orderOf(async () => fiveSteps(store, directory, fileStep('file.write'))))
    const days = (count: number) => new Date(Date.now() + count * 86_400_000)
    assert.equal(await forgetOldWork(store, days(400)), 0, 'the clock is ahead of all that is stored')
    await store.db
      .updateTable('changes')
      .set({ settled_at: days(-31).toISOString() })
      .execute()
    await executor.execute(orderOf(async () => fiveSteps(store, directory, fileStep('file.write'))))
    assert.equal(await forgetOldWork(store, undefined), 0)
    assert.equal(await forgetOldWork(store, days(-2)), 0)
    assert.equal(await forgetOldWork(store, days(0)), 1)
    const works = await store.db.selectFrom('changes').select('work').orderBy('id').execute()
    assert.deepEqual(
      works.map(({ work }) => work === null),
      [true, false],
    )
  })
})
