import type { Caller } from '../../core/caller.ts'
import { type AnyStepKind, type Change, change, type Step } from '../../core/change.ts'
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

/** The whole of a change is stored before each of its steps. */
const mostSteps = 2000

/** What a manifest does to this host. */
export interface Decided {
  readonly change: Change<null>
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
  const applying: Applying = { ...request, input, passwords, planned: openPlanned(on) }
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
  const deleted = operations.filter(({ action }) => action === 'delete')
  return {
    change: await composed(
      operations,
      parts.flatMap(({ changes }) => changes),
    ),
    operations,
    confirmations: [
      ...deleted.map(({ object, details }) => [`Delete the ${object}`, ...details].join('; ').slice(0, 1000)),
      ...parts.flatMap(({ risks = [] }) => risks),
    ],
    passwords,
  }
}

async function composed(operations: readonly Operation[], changes: readonly Change[]): Promise<Change<null>> {
  if (changes.some(({ provisional }) => provisional !== undefined))
    throw new Error('a change that has to be confirmed cannot be a part of another')
  const steps = await finalLast(changes.flatMap((each) => each.steps))
  if (steps.length > mostSteps)
    throw ManifestTooLarge(
      `text: takes ${steps.length} steps: at most ${mostSteps}, so apply a part of it first`,
    )
  return change({
    summary: summaryOf(operations),
    locks: [...new Set(changes.flatMap(({ locks }) => locks))],
    steps,
    rows: changes.flatMap(({ rows }) => rows),
    jobs: changes.flatMap(({ jobs }) => jobs),
    details: operations.map(textOf),
    reply: null,
  })
}

/** What cannot be undone comes after all that could fail. */
async function finalLast(steps: readonly Step[]): Promise<readonly Step[]> {
  const isFinal = await Promise.all(
    steps.map(async ({ kind, args }: { readonly kind: AnyStepKind; readonly args: unknown }) =>
      isFinalKind(kind) ? (await kind.plan(args)).irreversible !== undefined : false,
    ),
  )
  return [...steps.filter((_step, at) => !isFinal[at]), ...steps.filter((_step, at) => isFinal[at])]
}

/** A step that can be undone later can be undone when the change fails. */
const isFinalKind = ({ notUndone }: AnyStepKind): boolean => notUndone !== undefined

const verbs = { create: 'Create', change: 'Change', delete: 'Delete' } as const

/** Describes an operation in a sentence. */
export const textOf = ({ action, object, details }: Operation): string =>
  `${verbs[action]} ${object}${details.length === 0 ? '' : `: ${details.join(', ')}`}`.slice(0, 1000)

function summaryOf(operations: readonly Operation[]): string {
  const counts = Map.groupBy(operations, ({ action }) => action)
  const parts = (['create', 'change', 'delete'] as const).flatMap((action) => {
    const count = counts.get(action)?.length ?? 0
    return count === 0 ? [] : [`${action} ${count} ${count === 1 ? 'object' : 'objects'}`]
  })
  return `Apply a manifest: ${parts.join(', ') || 'nothing to do'}`
}
