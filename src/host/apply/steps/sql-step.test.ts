import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { proveStep } from '../../../../test/support/step-suite.ts'
import { describeChange } from '../../../changes/plan.ts'
import { change, type Scalar, step } from '../../../core/change.ts'
import { identifier, sql, type SqlConnection, sqlStep } from './sql-step.ts'

/** A real database behind the interface of a connection. */
function connect(database: DatabaseSync): SqlConnection {
  return {
    run: async ({ parts, values }) => {
      const bound: Scalar[] = []
      const text = parts.reduce((left, right, at) => {
        const value = values[at - 1]
        if (typeof value === 'object' && value !== null)
          return `${left}"${value.identifier.replaceAll('"', '""')}"${right}`
        bound.push(value ?? null)
        return `${left}?${right}`
      })
      return database
        .prepare(text)
        .all(...bound)
        .map((row) => ({ ...row })) as never
    },
  }
}

interface Machine {
  readonly database: DatabaseSync
}

interface AccountArgs {
  readonly name: string
  /** Null removes it. */
  readonly quota: number | null
}

const account = (connection: SqlConnection) =>
  sqlStep<AccountArgs, { readonly quota: number }>(connection, {
    name: 'mail.account',
    title: ({ name }) => `Account ${name}`,
    object: ({ name }) => name,
    read: ({ name }) => sql`select quota from ${identifier('the "accounts"')} where name = ${name}`,
    stateOf: ([row]) => (row === undefined ? undefined : { quota: Number(row['quota']) }),
    wanted: ({ quota }) => (quota === null ? undefined : { quota }),
    write: ({ name }, state, now) => {
      const table = identifier('the "accounts"')
      if (state === undefined) return [sql`delete from ${table} where name = ${name}`]
      if (now === undefined) return [sql`insert into ${table} values (${name}, ${state.quota})`]
      return [sql`update ${table} set quota = ${state.quota} where name = ${name}`]
    },
    show: ({ quota }) => `quota ${quota}`,
  })

const rows = ({ database }: Machine) =>
  database
    .prepare('select name, quota from "the ""accounts"""')
    .all()
    .map((row) => ({ ...row }))
const put =
  (name: string, quota: number) =>
  ({ database }: Machine) =>
    database.prepare('insert or replace into "the ""accounts""" values (?, ?)').run(name, quota)
const hostile = "ann' or 1=1; drop table x --"

const machine = () => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table "the ""accounts""" (name text primary key, quota integer)')
  put('bob', 1)({ database })
  return { database }
}

proveStep<Machine>('mail.account', {
  machine,
  open: ({ database }, door) => account(door(connect(database))),
  look: rows,
  cases: {
    'made, with a value that looks like a statement': {
      args: { name: hostile, quota: 5 },
      wanted: [
        { name: 'bob', quota: 1 },
        { name: hostile, quota: 5 },
      ],
      handEdit: put(hostile, 9),
    },
    changed: {
      args: { name: 'bob', quota: 5 },
      wanted: [{ name: 'bob', quota: 5 }],
      handEdit: put('bob', 9),
    },
    removed: { args: { name: 'bob', quota: null }, wanted: [], handEdit: put('bob', 9) },
  },
})

test('a step in SQL shows the object before and after in its plan', async () => {
  const kind = account(connect(machine().database))
  const steps = [step(kind, { name: 'bob', quota: 5 }), step(kind, { name: 'ann', quota: 7 })]
  const plan = await describeChange(change({ summary: 'Set quotas', steps, reply: null }))
  assert.deepEqual(plan.steps, [
    { title: 'Account bob', objects: [{ name: 'bob', before: 'quota 1', after: 'quota 5' }] },
    { title: 'Account ann', objects: [{ name: 'ann', before: null, after: 'quota 7' }] },
  ])
})
