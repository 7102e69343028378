import type { AnyStepKind, StepKind, StepRun } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'

/** Steps that cannot be undone, by the names of their kinds, in the order in which they act. */
interface Removals {
  readonly removals: readonly { readonly kind: string; readonly args: unknown }[]
}

/** What each of them read before it acted, and whether there was anything to remove. */
type Before = readonly { readonly before: unknown; readonly isDue: boolean }[]

/** What could not be removed once something else had been, with the reason if it is known. */
export interface Left {
  readonly left: string[]
  /** All of it as one text; empty if nothing is left. */
  readonly message: string
}

const leftOf = (left: string[]): Left => ({ left, message: left.join('; ').slice(0, 4000) })

/**
 * The step that carries out several steps without an undo. The first of them may fail, as nothing is lost then. Once one has removed
 * something, neither a cancel nor the failure of another keeps the change from its end: what is left is returned.
 */
export function removeTogether(kinds: readonly AnyStepKind[]): StepKind<Removals, Before, Left> {
  const named = new Map(kinds.map((kind) => [kind.name, kind]))
  const bind = ({ removals }: Removals) => removals.map((each) => boundTo(named, each))
  const statesOf = async (args: Removals, before: Before) =>
    Promise.all(bind(args).map(async ({ check }, at) => check(before[at]?.before)))
  const hasBegun = async (args: Removals, before: Before) =>
    (await statesOf(args, before)).some((state, at) => state === 'wanted' && before[at]?.isDue)
  return {
    name: 'manifest.remove-together',
    plan: async (args) => {
      const plans = await Promise.all(bind(args).map(async ({ plan }) => plan()))
      return {
        title: plans
          .map(({ title }) => title)
          .join('; ')
          .slice(0, 4000),
        irreversible: [...new Set(plans.flatMap(({ irreversible = [] }) => irreversible))].join('; '),
      }
    },
    observe: async (args) =>
      Promise.all(
        bind(args).map(async ({ observe, check }) => {
          const before: unknown = await observe()
          return { before, isDue: (await check(before)) !== 'wanted' }
        }),
      ),
    act: async (args, { before, ...run }) => removeAll(bind(args), before, { run, hasBegun: false }),
    undo: async () => {},
    notUndone: 'what was removed is gone for good',
    check: async (args, before) => {
      const isDone = (await statesOf(args, before)).every((state) => state === 'wanted')
      return isDone || (await hasBegun(args, before)) ? 'wanted' : 'before'
    },
    recover: async (args, before) => {
      if (await hasBegun(args, before))
        await removeAll(bind(args), before, { run: unattended, hasBegun: true })
    },
    again: async (args, before) => {
      const states = await statesOf(args, before)
      const isDone = states.every((state) => state === 'wanted')
      if (!isDone && !(await hasBegun(args, before))) return undefined
      const titles = bind(args).map(async ({ plan }, at) =>
        states[at] === 'wanted' ? [] : [(await plan()).title.slice(0, 1000)],
      )
      return leftOf((await Promise.all(titles)).flat())
    },
  }
}

/** A removal with its arguments. */
interface Bound {
  plan: () => ReturnType<AnyStepKind['plan']>
  observe: () => Promise<unknown>
  act: (run: StepRun<unknown>) => Promise<unknown>
  check: (before: unknown) => ReturnType<AnyStepKind['check']>
}

function boundTo(
  named: ReadonlyMap<string, AnyStepKind>,
  { kind: name, args }: Removals['removals'][number],
): Bound {
  const kind = named.get(name)
  if (kind === undefined) throw new Error(`${name} is no kind of removal`)
  return {
    plan: () => kind.plan(args),
    observe: async () => kind.observe(args),
    act: async (run) => kind.act(args, run),
    check: async (before) => kind.check(args, before),
  }
}

type Run = Omit<StepRun<unknown>, 'before'>

async function removeAll(
  removals: readonly Bound[],
  before: Before,
  { run, ...begun }: { readonly run: Run; readonly hasBegun: boolean },
): Promise<Left> {
  let { hasBegun } = begun
  const left: string[] = []
  for (const [at, { plan, act }] of removals.entries()) {
    const signal = hasBegun ? unattended.signal : run.signal
    try {
      await act({ ...run, signal, before: before[at]?.before })
      hasBegun ||= before[at]?.isDue === true
    } catch (error) {
      if (!hasBegun) throw error
      const reason = error instanceof Problem ? error.message : 'internal error'
      left.push(`${(await plan()).title}: ${reason}`.slice(0, 1000))
    }
  }
  for (const line of left) run.output(line)
  return leftOf(left)
}

/** Nobody can cancel what has begun. */
const unattended: Run = {
  isJustObserved: false,
  signal: new AbortController().signal,
  live: undefined,
  token: 'manifest.remove-together',
  progress: () => {},
  output: () => {},
}
