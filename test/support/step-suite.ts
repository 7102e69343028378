import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, it, type TestContext } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { changeMigrations } from '../../src/changes/tables.ts'
import { openExecutor } from '../../src/changes/executor.ts'
import { undoStep } from '../../src/changes/undo-by-id/index.ts'
import {
  type Changed,
  change,
  type JobDraft,
  type Step,
  step,
  type StepKind,
  type StepPlan,
} from '../../src/core/change.ts'
import { Problem, ServerError } from '../../src/core/problem.ts'
import { from } from '../../src/core/returned.ts'
import { run } from '../../src/host/run.ts'
import { jobMigrations } from '../../src/jobs/tables.ts'
import { openStore, type Store } from '../../src/store/store.ts'
import { stepsWithoutUndo } from '../policies/exceptions.ts'
import { stepRun } from './step-run.ts'
import { stoppable, type Stoppable } from './stoppable.ts'

type AnyKind = StepKind<any, any, any, any>

/** One transition of a kind of step from a known state to another. */
export interface StepCase<Machine> {
  /** Derived from the machine if it names content of the machine, such as a digest. */
  readonly args: Readonly<Record<string, unknown>> | null | ((machine: Machine) => unknown)
  /** Input that cannot be stored, created anew for each act. */
  readonly live?: () => unknown
  /** Sets up the initial state. */
  readonly arrange?: (machine: Machine) => Promise<unknown> | unknown
  /** The state of the machine afterwards, as an observer sees it. */
  readonly wanted: unknown
  /**
   * A manual edit while the step begins: it is kept, both if the step refuses and if it builds on the edit.
   */
  readonly handEdit?: (machine: Machine) => Promise<unknown> | unknown
  /** A condition that makes the step refuse before it acts, such as a manually edited file. */
  readonly refusedAfter?: (machine: Machine) => Promise<unknown> | unknown
  /** The state if the step builds on the manual edit; absent if it must refuse. */
  readonly onTop?: unknown
  /** The title of a case whose kills prove this one as well, as it makes the same calls. */
  readonly callsAsIn?: string
  /** The reason why a second act repeats its effect or refuses; the executor never repeats one. */
  readonly repeats?: string
  /** Fields of what the step returns, which a change uses: after a kill they are read again from the host, or the step is undone. */
  readonly returns?: Returns | ((machine: Machine) => Returns)
  /** True if the step's effect is found by the token: after the act, and no longer after the undo. */
  readonly isFoundBy?: (machine: Machine, token: string) => Promise<boolean> | boolean
}

type Returns = Readonly<Record<string, unknown>>

/** The proof of a kind of step. */
export interface StepProof<Machine> {
  /** A machine for one run. It outlives the processes that work on it. */
  readonly machine: (context: TestContext) => Promise<Machine> | Machine
  /** Opens the kind as a panel does when it starts; all access to the machine goes through `door`. */
  readonly open: (machine: Machine, door: Stoppable['door']) => Promise<AnyKind> | AnyKind
  /** The state of the machine, as an observer sees it. */
  readonly look: (machine: Machine) => Promise<unknown> | unknown
  readonly cases: Readonly<Record<string, StepCase<Machine>>>
  /** Runs the undo without the panel of a kind that is `armed`. Default: as a program of this machine. */
  readonly runArmed?: (machine: Machine, argv: readonly [string, ...string[]]) => Promise<unknown>
  /** The reason why no case has a manual edit: only the panel can change the state, or the step is final. */
  readonly withoutHandEdit?: string
  readonly skip?: string | boolean
}

/** A directory for a machine, removed after the test; in memory where the host has such a file system, as kills are many. */
export function scratchRoot(t: TestContext): string {
  const root = mkdtempSync(`${existsSync('/dev/shm') ? '/dev/shm' : tmpdir()}/hostreeve-step-`)
  t.after(() => rmSync(root, { recursive: true, force: true }))
  return root
}

/**
 * Proves a kind of step through the real executor and the real recovery: it has a plan, reaches the wanted state, goes back to the former one,
 * each twice; a kill after any call on the machine is recovered; a hand edit stays. A final step is spared the way back.
 */
export function proveStep<Machine>(name: string, proof: StepProof<Machine>): void {
  describe(`step ${name}`, { skip: proof.skip ?? false }, () => {
    for (const [title, prove] of proofsOf(name, proof)) it(title, (t) => prove(t))
  })
}

type Prove = (t: TestContext) => Promise<void>

/** The tests of a kind of step, by their titles. */
export function proofsOf<Machine>(
  name: string,
  proof: StepProof<Machine>,
): readonly (readonly [string, Prove])[] {
  const edits = Object.values(proof.cases).filter(({ handEdit }) => handEdit !== undefined)
  const hasReason = async () => assert.equal(edits.length > 0, proof.withoutHandEdit === undefined)
  const needsException = async (t: TestContext) => {
    const reasons: (string | undefined)[] = []
    for (const each of Object.values(proof.cases)) {
      const { kind, args } = await begin({ name, proof, each }, t)
      reasons.push((await planOf(kind, args, each)).irreversible)
    }
    assert.ok(reasons.includes(undefined))
  }
  return [
    ['has a case with a hand edit, or a reason why there is none', hasReason],
    ...(name in stepsWithoutUndo
      ? [['is not final by its plan, and without an undo', needsException] as const]
      : []),
    ...Object.entries(proof.cases).flatMap(([title, each]) => proofsOfCase(title, { name, proof, each })),
  ]
}

interface Proving<Machine> {
  readonly name: string
  readonly proof: StepProof<Machine>
  readonly each: StepCase<Machine>
}

function proofsOfCase<Machine>(title: string, proving: Proving<Machine>): (readonly [string, Prove])[] {
  const { handEdit, refusedAfter, callsAsIn } = proving.each
  const proofs: (readonly [string, Prove] | undefined)[] = [
    ['has a plan, which changes nothing', (t) => provePlan(proving, t)],
    ['shows what it changed as its plan does', (t) => proveChanged(proving, t)],
    ['reaches the wanted state and returns to the former one, each twice', (t) => proveBothWays(proving, t)],
    callsAsIn === undefined
      ? ['is settled after a kill at any call', (t) => proveKills(proving, t)]
      : ['makes the calls of another case', async () => assert.ok(callsAsIn in proving.proof.cases)],
    callsAsIn === undefined
      ? ['goes back after a kill at any call of the undo', (t) => proveKillsInUndo(proving, t)]
      : undefined,
    ['is undone by the id of its entry, or states why not', (t) => proveUndoById(proving, t)],
    handEdit && ['leaves what was edited by hand meanwhile', (t) => proveHandEdit(proving, t)],
    refusedAfter && ['refuses before it acts', (t) => proveRefusal(proving, t)],
  ]
  return proofs.flatMap((proof) =>
    proof === undefined ? [] : [[`${title}: ${proof[0]}`, proof[1]] as const],
  )
}

async function provePlan<Machine>(proving: Proving<Machine>, t: TestContext): Promise<void> {
  const { machine, kind, former, args } = await begin(proving, t)
  assert.equal(kind.name, proving.name)
  assert.match((await planOf(kind, args, proving.each)).title, /^[A-Z].*[^.\s]$/s)
  assert.deepEqual(await proving.proof.look(machine), former)
}

/** What a step shows afterwards are the lines and objects of its plan, also once the host is as before again. */
async function proveChanged<Machine>(proving: Proving<Machine>, t: TestContext): Promise<void> {
  const { kind, args } = await begin(proving, t)
  if (kind.changed === undefined) return
  const plan = await planOf(kind, args, proving.each)
  const before: unknown = JSON.parse(JSON.stringify(await kind.observe(args)) ?? 'null')
  const shown = kind.changed(args, before)
  assert.deepEqual(changedLines(shown), changedLines(plan))
  if (plan.objects) assert.deepEqual(shown.objects, plan.objects)
}

/** Without blank lines, which may belong to what is beside a part. */
const changedLines = ({ files = [] }: Changed) =>
  files.map(({ path, diff }) => ({
    path,
    lines: diff.split('\n').filter((line) => /^[-+]./.test(line) && !/^(---|\+\+\+) \//.test(line)),
  }))

interface Begun<Machine> {
  readonly machine: Machine
  /** The fields that a change uses of what the step returns. */
  readonly returns: Returns | undefined
  readonly kind: AnyKind
  readonly args: unknown
  readonly process: Stoppable
  /** The state before. */
  readonly former: unknown
  readonly isFinal: boolean
}

/** A machine in the former state, and a process on it that ends after a number of calls. */
async function begin<Machine>(proving: Proving<Machine>, t: TestContext): Promise<Begun<Machine>> {
  const machine = await proving.proof.machine(t)
  await proving.each.arrange?.(machine)
  return beginOn(proving, machine)
}

async function beginOn<Machine>(
  { name, proof, each }: Proving<Machine>,
  machine: Machine,
  stopAt?: number,
): Promise<Begun<Machine>> {
  const args = typeof each.args === 'function' ? each.args(machine) : each.args
  const plan = await planOf(await proof.open(machine, (thing) => thing), args, each)
  const process = stoppable(stopAt)
  const kind = await proof.open(machine, process.door)
  const isFinal = plan.irreversible !== undefined || name in stepsWithoutUndo
  const returns = typeof each.returns === 'function' ? each.returns(machine) : each.returns
  return { machine, process, kind, args, isFinal, returns, former: await proof.look(machine) }
}

async function planOf(kind: AnyKind, args: unknown, { live }: StepCase<never>): Promise<StepPlan> {
  return { ...(await kind.plan(args)), ...(await kind.preview?.(args, live?.())) }
}

async function proveBothWays<Machine>(proving: Proving<Machine>, t: TestContext): Promise<void> {
  const begun = await begin(proving, t)
  const { machine, kind, args, isFinal, former } = begun
  const { live, wanted, repeats, isFoundBy } = proving.each
  const look = () => proving.proof.look(machine)
  const before: unknown = JSON.parse(JSON.stringify(await kind.observe(args)) ?? 'null')
  const act = () => kind.act(args, stepRun(before, live?.(), { token }))
  assert.equal(await kind.again?.(args, before), undefined, 'it returns nothing before it acts')
  assertReturned(proving, begun, [await act(), await kind.again?.(args, before)])
  assert.deepEqual(await look(), wanted)
  assert.equal(await isFoundBy?.(machine, token), isFoundBy && true)
  if (!isFinal) assert.equal(await kind.check(args, before), 'wanted')
  if (repeats === undefined) {
    await act().catch((error) => assert.ok(isFinal && error instanceof Problem, error))
    assert.deepEqual(await look(), wanted, 'a second act changes nothing')
  }
  for (const time of ['once', 'twice']) {
    await kind.undo(args, before)
    assert.deepEqual(await look(), isFinal ? wanted : former, `undone ${time}`)
    if (!isFinal && !isDeepStrictEqual(former, wanted)) assert.equal(await kind.check(args, before), 'before')
    if (!isFinal) assert.equal(await isFoundBy?.(machine, token), isFoundBy && false)
  }
  if (kind.armed === undefined) return
  assert.equal(isFinal, false, 'a final step has no undo without the panel')
  await act()
  await proveArmed(proving.proof, machine, kind.armed(args, before))
  assert.deepEqual(await look(), former, 'the undo without the panel')
  assert.equal(await kind.check(args, before), 'before')
  await kind.undo(args, before)
  assert.deepEqual(await look(), former, 'an undo after that without the panel')
}

/** A settled change is undone by a panel that was started since, from what the store has of the step. */
async function proveUndoById<Machine>(proving: Proving<Machine>, t: TestContext): Promise<void> {
  const { machine, kind, args, isFinal, former } = await begin(proving, t)
  const { proof, each } = proving
  const { notUndone } = kind
  const reason = typeof notUndone === 'function' ? notUndone(args) : notUndone
  if (isFinal || reason !== undefined) return assert.ok(reason, 'a step without an undo states the reason')
  const before: unknown = await kind.observe(args)
  const stored = JSON.parse(JSON.stringify({ args, before: before ?? null }))
  await kind.act(args, stepRun(before, each.live?.(), { token }))
  const later = await proof.open(machine, (thing) => thing)
  const undoing = undoStep(() => new Map([[later.name, later]]))
  const undo = { kind: later.name, ...stored, isRepeated: false }
  await undoing.act(undo, stepRun(await undoing.observe(undo)))
  assert.deepEqual(await proof.look(machine), former)
  if (!isDeepStrictEqual(former, each.wanted)) await assert.rejects(undoing.observe(undo), Problem)
}

/** Twice: a clock may strike for a step that the panel has undone. */
async function proveArmed<Machine>(
  { runArmed = async (_machine, argv) => run(argv) }: Pick<StepProof<Machine>, 'runArmed'>,
  machine: Machine,
  argv: readonly [string, ...string[]],
): Promise<void> {
  await runArmed(machine, argv)
  await runArmed(machine, argv)
}

const token = '1:0'

/** The result of the act, and the fields that were read again. */
function assertReturned<Machine>(
  { proof }: Proving<Machine>,
  { kind, returns }: Begun<Machine>,
  [returned, again]: readonly [unknown, unknown],
): void {
  const hasCase = Object.values(proof.cases).some((each) => each.returns !== undefined)
  assert.ok(hasCase || kind.again === undefined, 'what is read again is said in a case')
  if (returns === undefined) return
  assert.partialDeepStrictEqual(returned, returns)
  if (kind.again !== undefined) assert.partialDeepStrictEqual(again, returns)
}

/** A step that fails, so that those before it are undone. */
const failing = (onAct = () => {}): AnyKind => ({
  name: 'proof.fail',
  plan: () => ({ title: 'Fail' }),
  observe: async () => null,
  act: async () => {
    onAct()
    throw ServerError('as the proof wants it')
  },
  undo: async () => {},
  check: async () => 'before',
})

const mostCalls = 500

/** Stops the process after each call of observe and act in turn, until one run comes to its end; a fresh process settles what was left. */
async function proveKills<Machine>(proving: Proving<Machine>, t: TestContext): Promise<void> {
  const store = await openMemory(t)
  let { machine, former } = await begin(proving, t)
  for (let stopAt = 1; stopAt <= mostCalls; stopAt++) {
    const begun = await beginOn(proving, machine, stopAt)
    const end = await killed(begun, carryOut(store, begun, proving.each))
    if (end === 'stopped') {
      const seen = await assertSettled(proving, begun, store)
      if (!isDeepStrictEqual(seen, former)) ({ machine, former } = await begin(proving, t)) // a machine that was restored serves again
      continue
    }
    assert.ok(stopAt > 1, 'the step calls nothing through the door')
    assert.equal(end, 'done')
    assert.deepEqual(await takeFollowUps(store), begun.returns ? [begun.returns] : [])
    return assert.deepEqual(await proving.proof.look(machine), proving.each.wanted)
  }
  assert.fail(`the step makes more than ${mostCalls} calls`)
}

/** The same with each call of the undo of a step before one that fails. */
async function proveKillsInUndo<Machine>(proving: Proving<Machine>, t: TestContext): Promise<void> {
  const store = await openMemory(t)
  const first = await begin(proving, t)
  if (first.isFinal) return
  let calls = 0
  const counting = failing(() => (calls = first.process.calls()))
  assert.equal(await carryOut(store, first, proving.each, [counting]), 'refused')
  assert.deepEqual(await proving.proof.look(first.machine), first.former)
  const last = first.process.calls()
  for (let stopAt = calls + 1; stopAt <= last; stopAt++) {
    const begun = await beginOn(proving, first.machine, stopAt)
    if ((await killed(begun, carryOut(store, begun, proving.each, [failing()]))) !== 'stopped') continue
    assert.deepEqual(await assertSettled(proving, begun, store), first.former)
  }
}

const killed = <Ended>({ process }: Pick<Begun<unknown>, 'process'>, ran: Promise<Ended>) =>
  Promise.race([ran, process.stopped.then(() => 'stopped' as const)])

/** The call of the first recovery at which that process is killed as well. */
const killedAgainAt = 2

async function assertSettled<Machine>(
  { proof, each }: Proving<Machine>,
  { machine, process, former, isFinal, returns }: Begun<Machine>,
  store: Store,
): Promise<unknown> {
  const at = `after call ${process.calls()}`
  const recoverIn = async (next: Stoppable) => {
    const kind = await proof.open(machine, next.door)
    const kinds = new Map([kind, failing()].map((one) => [one.name, one]))
    return Promise.race([openExecutor({ store, log: quiet }).recover(kinds), next.stopped])
  }
  const recoveries = (await recoverIn(stoppable(killedAgainAt))) ?? (await recoverIn(stoppable())) ?? []
  const seen = await proof.look(machine)
  for (const { changeId, outcome, message } of recoveries) {
    if (outcome === 'ok') assert.deepEqual(seen, each.wanted, `${at} it is told as done`)
    if (outcome === 'restored') assert.deepEqual(seen, former, `${at} it is told as restored`)
    if (outcome === 'failed') assert.ok(isFinal && /it (may )?stand/.test(message), `${at}: ${message}`)
    if (outcome !== 'failed' && each.isFoundBy)
      assert.equal(await each.isFoundBy(machine, `${changeId}:0`), outcome === 'ok', `${at} by its token`)
  }
  const isDone = recoveries.some(({ outcome }) => outcome === 'ok')
  assert.deepEqual(await takeFollowUps(store), isDone && returns ? [returns] : [], at)
  if (recoveries.length === 0) assert.deepEqual(seen, former, `${at} the change had ended`)
  return seen
}

async function proveHandEdit<Machine>(proving: Proving<Machine>, t: TestContext): Promise<void> {
  const { proof, each } = proving
  const begun = await begin(proving, t)
  const kind: AnyKind = {
    ...begun.kind,
    observe: async (args) => {
      const before: unknown = await begun.kind.observe(args)
      await each.handEdit?.(begun.machine)
      return before
    },
  }
  if ((await carryOut(await openMemory(t), { ...begun, kind }, each)) === 'done')
    return assert.deepEqual(await proof.look(begun.machine), each.onTop, 'it acted over the hand edit')
  const seen = await proof.look(begun.machine)
  const untouched = await begin(proving, t)
  await each.handEdit?.(untouched.machine)
  assert.deepEqual(seen, await proof.look(untouched.machine))
}

async function proveRefusal<Machine>(proving: Proving<Machine>, t: TestContext): Promise<void> {
  const { proof, each } = proving
  const begun = await begin(proving, t)
  await each.refusedAfter?.(begun.machine)
  const former = await proof.look(begun.machine)
  await assert.rejects(begun.kind.observe(begun.args), Problem)
  assert.equal(await carryOut(await openMemory(t), begun, each), 'refused')
  assert.deepEqual(await proof.look(begun.machine), former)
}

/** Ends in `refused` where the executor throws a Problem. */
async function carryOut(
  store: Store,
  { kind, args, returns }: Pick<Begun<unknown>, 'kind' | 'args' | 'returns'>,
  { live }: StepCase<never>,
  then: readonly AnyKind[] = [],
): Promise<'done' | 'refused'> {
  const executor = openExecutor({ store, log: quiet })
  const proved: Step<any> = step(kind, args, live?.())
  const steps: readonly Step[] = [proved, ...then.map((each) => step(each, null))]
  const jobs = returns === undefined ? [] : [followUp(proved, returns)]
  try {
    await executor.execute({
      decide: async () => change({ summary: 'Prove a step', steps, jobs, reply: null }),
      actor: { entry },
      keepsReply: false,
      signal: new AbortController().signal,
      actSignal: new AbortController().signal,
    })
    return 'done'
  } catch (error) {
    if (error instanceof Problem) return 'refused'
    throw error
  }
}

/** A job that receives the result of a step. */
const followUp = (proved: Step<any>, returns: Returns): JobDraft => ({
  kind: 'proof.follow-up',
  input: Object.fromEntries(Object.keys(returns).map((key) => [key, from(proved, key)])),
  ownerId: null,
  title: 'Follow up',
})

/** The inputs of the jobs that changes have enqueued since the last call. */
async function takeFollowUps(store: Store): Promise<readonly unknown[]> {
  const rows = await store.db.selectFrom('jobs').select('input').execute()
  await store.transaction((tx) => tx.deleteFrom('jobs').execute())
  return rows.map(({ input }): unknown => JSON.parse(store.unseal(input)))
}

async function openMemory(t: TestContext): Promise<Store> {
  const store = await openStore({ now: new Date(), migrations: [...jobMigrations, ...changeMigrations] })
  t.after(() => store.close())
  return store
}

const quiet = { info: () => {}, warn: () => {}, error: () => {} }
const request = { method: 'POST', path: '/api/proof', request: '{}', request_id: 'r-1' }
const entry = { action: 'proved', user_id: 1, key_id: null, ip: '192.0.2.1', ...request }
