import type { Caller } from '../../core/caller.ts'
import { type AnyStepKind, type Change, change, type Step, step } from '../../core/change.ts'
import type { Manifests } from './context.ts'
import type { ApplyInput, Operation } from './model.ts'
import type { Applying, Part } from './part.ts'
import { openPasswords, type TakenPasswords } from './passwords.ts'
import { decideDatabases } from './parts/databases.ts'
import { decideRules } from './parts/firewall-rules.ts'
import { pruneObjects } from './parts/prune.ts'
import { decideUsers } from './parts/users.ts'
import { decideWebsites } from './parts/websites.ts'
import { decideZones } from './parts/zones.ts'
import { openPlanned } from './planned.ts'
import { ManifestTooLarge } from './problems.ts'
import type { Left } from './remove-together.ts'

/** The whole of a change is stored before each of its steps. */
const mostSteps = 2000

/** What a manifest does to this host. */
export interface Decided {
  readonly change: Change<null>
  /** The step that removes what cannot be restored, if there are several such steps. */
  readonly removal: Step<Left> | undefined
  readonly operations: readonly Operation[]
  readonly confirmations: readonly string[]
  readonly passwords: TakenPasswords
}

interface Request {
  readonly caller: Caller
  readonly now: Date
  readonly signal: AbortSignal
  readonly isPlan: boolean
}

/** Compares a manifest with this host, and composes the changes of all its objects into one. */
export async function decideManifest(
  on: Manifests,
  input: Omit<ApplyInput, 'confirm'>,
  { isPlan, ...request }: Request,
): Promise<Decided> {
  const passwords = openPasswords(input, { isPlan })
  const applying: Applying = { ...request, isPlan, input, passwords, planned: openPlanned(on) }
  const parts: Part[] = []
  // each on a view of the objects before it; what is deleted comes last
  for (const decide of [
    decideUsers,
    decideWebsites,
    decideDatabases,
    decideZones,
    decideRules,
    pruneObjects,
  ]) {
    request.signal.throwIfAborted()
    parts.push(await decide(on, applying))
  }
  const operations = parts.flatMap((part) => part.operations)
  return {
    ...(await composed(on, operations, parts)),
    operations,
    confirmations: await confirmationsOf(on, operations, parts),
    passwords,
  }
}

async function confirmationsOf(
  { hasPeers }: Manifests,
  operations: readonly Operation[],
  parts: readonly Part[],
): Promise<readonly string[]> {
  const deleted = operations.filter(({ action }) => action === 'delete')
  const isAlone = operations.length === 0 || !(await hasPeers())
  return [
    ...deleted.map(({ object, details }) => shortened([`Delete the ${object}`, ...details], '; ', 950)),
    ...parts.flatMap(({ risks = [] }) => risks),
    ...(isAlone ? [] : ['Replication servers do not get what a manifest changes: apply it on each of them']),
  ]
}

/** Joins the texts that fit into a number of characters, and counts the rest. */
export function shortened(texts: readonly string[], separator: string, most: number): string {
  const [first = '', ...rest] = texts
  let joined = first.slice(0, most)
  for (const [index, text] of rest.entries()) {
    if (joined.length + separator.length + text.length > most)
      return `${joined}${separator}and ${rest.length - index} more, which the plan lists`
    joined = `${joined}${separator}${text}`
  }
  return joined
}

async function composed(
  { removal }: Manifests,
  operations: readonly Operation[],
  parts: readonly Part[],
): Promise<Pick<Decided, 'change' | 'removal'>> {
  const changes = parts.flatMap((part) => part.changes)
  if (changes.some(({ provisional }) => provisional !== undefined))
    throw new Error('a change that has to be confirmed cannot be a part of another')
  const { steps, ...final } = await finalLast(
    removal,
    changes.flatMap((each) => each.steps),
  )
  if (steps.length > mostSteps)
    throw ManifestTooLarge(
      `text: takes ${steps.length} steps: at most ${mostSteps}, so apply a part of it first`,
    )
  const joined = change({
    summary: summaryOf(operations),
    locks: [...new Set(changes.flatMap(({ locks }) => locks))],
    steps,
    rows: changes.flatMap(({ rows }) => rows),
    jobs: changes.flatMap(({ jobs }) => jobs),
    details: operations.map(textOf),
    reply: null,
  })
  return { change: joined, removal: final.removal }
}

/** What cannot be undone comes after all that could fail; several such steps are one, which goes on once it has begun. */
async function finalLast(
  { kind, kinds }: Manifests['removal'],
  steps: readonly Step[],
): Promise<{ readonly steps: readonly Step[]; readonly removal: Step<Left> | undefined }> {
  const isFinal = await Promise.all(
    steps.map(async ({ kind: of, args }: { readonly kind: AnyStepKind; readonly args: unknown }) =>
      isFinalKind(of) ? (await of.plan(args)).irreversible !== undefined : false,
    ),
  )
  const final = steps.filter((_step, at) => isFinal[at])
  const removals = final.filter((each) => kinds.includes(each.kind))
  const others = [
    ...steps.filter((_step, at) => !isFinal[at]),
    ...final.filter((each) => !removals.includes(each)),
  ]
  if (removals.length < 2) return { steps: [...others, ...removals], removal: undefined }
  const removal = step(kind, {
    removals: removals.map((each) => ({ kind: each.kind.name, args: each.args })),
  })
  return { steps: [...others, removal], removal }
}

/** A step that can be undone later can be undone when the change fails. */
const isFinalKind = ({ notUndone }: AnyStepKind): boolean => notUndone !== undefined

const verbs = { create: 'Create', change: 'Change', delete: 'Delete' } as const

/** Describes an operation in a sentence. */
export function textOf({ action, object, details: [first, ...rest] }: Operation): string {
  const name = `${verbs[action]} ${object}`
  return shortened([first === undefined ? name : `${name}: ${first}`, ...rest], ', ', 950)
}

function summaryOf(operations: readonly Operation[]): string {
  const counts = Map.groupBy(operations, ({ action }) => action)
  const parts = (['create', 'change', 'delete'] as const).flatMap((action) => {
    const count = counts.get(action)?.length ?? 0
    return count === 0 ? [] : [`${action} ${count} ${count === 1 ? 'object' : 'objects'}`]
  })
  return `Apply a manifest: ${parts.join(', ') || 'nothing to do'}`
}
