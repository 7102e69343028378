import type { Changed, StepKind } from '../../core/change.ts'
import { poll } from '../../core/poll.ts'
import { Problem } from '../../core/problem.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { connectProblems } from '../../host/connect/index.ts'
import type { Admin } from './admin.ts'
import { type AdminRow, type AdminRows, canonical, type GroupName, groupOf, keyOf } from './groups.ts'
import { isSameRow, type Layers, readLayers, readRunning, writeLayers } from './layers.ts'
import { NotApplied } from './problems.ts'

interface RowsArgs {
  readonly group: GroupName
  /** Rows that are added, or replace those of the same key. */
  readonly put?: readonly AdminRow[]
  /** The keys of rows that are removed. */
  readonly remove?: readonly string[]
}

const layerNames = ['memory', 'runtime', 'disk'] as const

/** The step that sets rows of a group in memory, in the running ProxySQL and on disk, and reads the running rows back. */
export function setRows(admin: Admin): StepKind<RowsArgs, Was<Layers>, null> {
  const read = async (args: RowsArgs) => touched(await readLayers(admin, args.group), keysIn(args))
  return stateStep<RowsArgs, Layers>({
    name: 'proxysql.set-rows',
    plan: (args) => ({
      title: `Set ${titles[args.group]} of ProxySQL`,
      details: ['They are loaded into the running ProxySQL and saved to its disk'],
    }),
    preview: async (args) => changed(args, await read(args).catch(noneYet), wantedOf(args)),
    changed: (args, was, now) => changed(args, was ?? none, now ?? none),
    read,
    wanted: wantedOf,
    write: async (args, state = none) => {
      const keys = keysIn(args)
      const now = await readLayers(admin, args.group)
      const rowsOf = (layer: keyof Layers): AdminRows => ({
        ...Object.fromEntries(Object.entries(now[layer]).filter(([key]) => !keys.includes(key))),
        ...state[layer],
      })
      await writeLayers(admin, args.group, {
        memory: rowsOf('memory'),
        runtime: rowsOf('runtime'),
        disk: rowsOf('disk'),
      })
      await assertRunning(admin, args, state.runtime)
    },
  })
}

const titles: Readonly<Record<GroupName, string>> = {
  servers: 'servers',
  users: 'users',
  rules: 'query rules',
  mysqlVariables: 'variables',
  adminVariables: 'variables of the admin interface',
}

/** The plan of an installation is made before there is a ProxySQL. */
function noneYet(error: unknown): Layers {
  if (error instanceof Problem && error.kind === connectProblems.NotAnswering) return none
  throw error
}

const none: Layers = { memory: {}, runtime: {}, disk: {} }

const keysIn = ({ group, put = [], remove = [] }: RowsArgs): readonly string[] => [
  ...put.map((row) => keyOf(groupOf(group), row)),
  ...remove,
]

function wantedOf({ group, put = [] }: RowsArgs): Layers {
  const of = groupOf(group)
  const rows = put.map((row) => canonical(of, row))
  const keyed = (list: readonly (AdminRow | undefined)[]) =>
    Object.fromEntries(list.flatMap((row) => (row === undefined ? [] : [[keyOf(of, row), row]])))
  return { memory: keyed(rows), runtime: keyed(rows.map(of.running)), disk: keyed(rows) }
}

function touched(layers: Layers, keys: readonly string[]): Layers {
  const of = (rows: AdminRows) =>
    Object.fromEntries(Object.entries(rows).filter(([key]) => keys.includes(key)))
  return { memory: of(layers.memory), runtime: of(layers.runtime), disk: of(layers.disk) }
}

/** ProxySQL falls back to a former value without an error: what runs is read again. A status appears with a delay. */
async function assertRunning(admin: Admin, args: RowsArgs, wanted: AdminRows): Promise<void> {
  const differing = async () => {
    const now = await readRunning(admin, args.group)
    return keysIn(args).find((key) => !isSameRow(now[key], wanted[key]))
  }
  const isThere = await poll(async () => ((await differing()) === undefined ? true : undefined), {
    limitMs: 3000,
    everyMs: 200,
  })
  if (isThere) return
  throw NotApplied(
    `ProxySQL loaded ${titles[args.group]} and did not take ${await differing()} as it was set`,
  )
}

function changed({ group, ...args }: RowsArgs, was: Layers, now: Layers): Changed {
  const layers = layerNames.filter((layer) => layer !== 'runtime')
  const shownIn = (state: Layers, key: string) => {
    const row = layers.map((layer) => state[layer][key]).find((each) => each !== undefined)
    return row === undefined ? null : shown(group, row)
  }
  return {
    objects: keysIn({ group, ...args }).map((key) => ({
      name: `${nouns[group]} ${key}`,
      before: shownIn(was, key),
      after: shownIn(now, key),
    })),
  }
}

const nouns: Readonly<Record<GroupName, string>> = {
  servers: 'server',
  users: 'user',
  rules: 'query rule',
  mysqlVariables: 'variable',
  adminVariables: 'variable',
}

/** The values of a row, without what may be a secret. */
function shown(group: GroupName, row: AdminRow): string {
  const { key } = groupOf(group)
  const values = Object.entries(row).filter(([column]) => !key.includes(column))
  return values.map(([column, value]) => `${column}: ${isSecret(row, column) ? '•••' : value}`).join(', ')
}

const isSecret = (row: AdminRow, column: string): boolean =>
  column === 'password' ||
  (column === 'variable_value' && /password|credentials/.test(row['variable_name'] ?? ''))
