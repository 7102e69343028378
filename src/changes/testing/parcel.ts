import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Migration } from '../../core/area.ts'
import { type Change, change, step, type StepKind } from '../../core/change.ts'
import type { Log } from '../../core/endpoint.ts'
import { jobMigrations } from '../../jobs/tables.ts'
import type { Store } from '../../store/store.ts'
import { openTestStore } from '../../store/testing/open-test-store.ts'
import type { Order } from '../executor.ts'
import { changeMigrations } from '../tables.ts'
import type { StepKinds } from '../work.ts'
import { singleLock } from '../../core/lock.ts'

declare module '../../store/tables.ts' {
  interface Tables {
    readonly parcels: { readonly id: number; readonly label: string; readonly revision: number }
  }
}

interface FileArgs {
  readonly path: string
  /** Null if the file is to be removed. */
  readonly text: string | null
}

const textOf = (path: string): string | null => (existsSync(path) ? readFileSync(path, 'utf8') : null)
const put = (path: string, text: string | null): void =>
  text === null ? rmSync(path, { force: true }) : writeFileSync(path, text)

/** A step on a real file. `onHalf` is called after half of it has been written. */
export function fileStep(
  name: string,
  onHalf: (args: FileArgs) => void = () => {},
): StepKind<FileArgs, string | null, { readonly wrote: string }> {
  return {
    name,
    plan: ({ path }) => ({ title: `Write ${path}` }),
    observe: async ({ path }) => textOf(path),
    act: async (args) => {
      if (args.text !== null) put(args.path, args.text.slice(0, args.text.length / 2))
      onHalf(args)
      put(args.path, args.text)
      return { wrote: args.path }
    },
    undo: async ({ path }, before) => put(path, before),
    check: async ({ path, text }, before) => {
      const now = textOf(path)
      return now === text ? 'wanted' : now === before ? 'before' : 'other'
    },
  }
}

/** The five files of the change, with their former and wanted contents. */
export const files = [
  { name: 'a', before: 'old a', wanted: 'new text of a' },
  { name: 'b', before: null, wanted: 'new text of b' },
  { name: 'c', before: 'old c', wanted: null },
  { name: 'd', before: null, wanted: 'new text of d' },
  { name: 'e', before: 'old e', wanted: 'new text of e' },
] as const

export const fileState = (directory: string) => files.map(({ name }) => textOf(`${directory}/${name}`))

/** Writes the files as they are before the change. */
export function layOut(directory: string): void {
  for (const { name, before } of files) put(`${directory}/${name}`, before)
}

const parcelUndo = { key: ['id'], unchecked: ['revision'] }

export const parcelLock = singleLock('parcel')

/** A change of five steps, two rows and a job. */
export function fiveSteps(
  store: Store,
  directory: string,
  kind: StepKind<FileArgs, any, any>,
): Change<{ readonly id: number }> {
  const id = store.nextId('parcels')
  return change({
    summary: 'Send a parcel',
    locks: [parcelLock],
    steps: files.map(({ name, wanted }) => step(kind, { path: `${directory}/${name}`, text: wanted })),
    rows: [
      { write: 'insert', table: 'parcels', values: { id, label: 'sent', revision: 1 }, undo: parcelUndo },
      {
        write: 'update',
        table: 'parcels',
        where: { label: 'counter' },
        set: { revision: 2 },
        undo: parcelUndo,
      },
    ],
    jobs: [{ kind: 'parcel.deliver', input: { id }, ownerId: 1, title: 'Deliver' }],
    reply: { id },
  })
}

export const parcelMigrations: readonly Migration[] = [
  ...jobMigrations,
  ...changeMigrations,
  {
    name: '202601010000-parcels',
    statements: [
      'create table parcels (id integer primary key, label text not null, revision integer not null)',
      "insert into parcels values (900, 'counter', 1)",
    ],
  },
]

export const openParcels = (dataDir?: string): Promise<Store> =>
  openTestStore({ ...(dataDir && { dataDir }), now: new Date(), migrations: parcelMigrations })

export const quiet: Log = { info: () => {}, warn: () => {}, error: () => {} }

export const entry = {
  action: 'parcel_sent',
  user_id: 1,
  key_id: null,
  ip: '192.0.2.1',
  method: 'POST',
  path: '/api/parcels',
  request: '{}',
  request_id: 'r-1',
}

export const orderOf = <Reply>(
  decide: () => Promise<Change<Reply>>,
  more: Partial<Order<Reply>> = {},
): Order<Reply> => ({
  decide,
  actor: { entry },
  keepsReply: true,
  signal: new AbortController().signal,
  actSignal: new AbortController().signal,
  ...more,
})

export const kindsOf = (...kinds: readonly StepKind<any, any, any>[]): StepKinds =>
  new Map(kinds.map((kind) => [kind.name, kind]))
