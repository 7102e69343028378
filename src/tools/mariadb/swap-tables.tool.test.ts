import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep } from '../../../test/support/step-suite.ts'
import { identifier, sql, type SqlConnection } from '../../host/apply/steps.ts'
import { connect } from '../../host/connect/index.ts'
import { type ScratchMariadb, startMariadb } from '../../host/testing/scratch-mariadb.ts'
import { listMovable, swapTables } from './swap-tables.ts'

let server: ScratchMariadb
before(async () => void (server = await startMariadb()))
after(() => server.stop())

const root = (): SqlConnection => connect.sql(server.target)
const all = ['ann_live', 'ann_copy', 'ann_former'] as const

async function machine(): Promise<SqlConnection> {
  const on = root()
  for (const name of all) await on.run(sql`drop database if exists ${identifier(name)}`)
  for (const [name, value] of [
    ['ann_live', 'old'],
    ['ann_copy', 'new'],
  ] as const) {
    await on.run(sql`create database ${identifier(name)}`)
    for (const table of ['wp_posts', 'wp_comments']) {
      await on.run(sql`create table ${identifier(name)}.${identifier(table)} (text varchar(9) primary key)`)
      await on.run(sql`insert into ${identifier(name)}.${identifier(table)} values (${value})`)
    }
  }
  await on.run(sql`create table ann_live.gone (id int)`)
  await on.run(sql`create table ann_copy.\`it is "new"\` (id int)`)
  return on
}

/** The tables of each database; those with a row with its text. */
async function look(on: SqlConnection) {
  const rows = await on.run(
    sql`select concat(table_schema, ' ', table_name) name, table_schema, table_name from information_schema.tables
      where table_schema in ('ann_live', 'ann_copy', 'ann_former') order by 1`,
  )
  const shown: string[] = []
  for (const { name, table_schema, table_name } of rows) {
    const [row] = await on.run(
      sql`select * from ${identifier(String(table_schema))}.${identifier(String(table_name))}`,
    )
    shown.push(`${name}: ${row === undefined ? '' : String(row['text'])}`)
  }
  const [found] = await on.run(
    sql`select count(*) count from information_schema.schemata where schema_name = 'ann_former'`,
  )
  return [...shown, `former: ${found?.['count']}`]
}

proveStep<SqlConnection>('mariadb.swap-tables', {
  machine,
  open: (on, door) => swapTables(door(on)),
  look,
  withoutHandEdit: 'the server renames all tables in one statement',
  cases: {
    'all tables': {
      args: { from: 'ann_copy', into: 'ann_live', former: 'ann_former', kept: [] },
      wanted: [
        'ann_former gone: ',
        'ann_former wp_comments: old',
        'ann_former wp_posts: old',
        'ann_live it is "new": ',
        'ann_live wp_comments: new',
        'ann_live wp_posts: new',
        'former: 1',
      ],
    },
    'all but one': {
      args: { from: 'ann_copy', into: 'ann_live', former: 'ann_former', kept: ['wp_comments'] },
      callsAsIn: 'all tables',
      wanted: [
        'ann_copy wp_comments: new',
        'ann_former gone: ',
        'ann_former wp_posts: old',
        'ann_live it is "new": ',
        'ann_live wp_comments: old',
        'ann_live wp_posts: new',
        'former: 1',
      ],
    },
  },
})

test('goes back where the website has created and removed tables meanwhile', async () => {
  const on = await machine()
  const former = await look(on)
  const kind = swapTables(on)
  const args = { from: 'ann_copy', into: 'ann_live', former: 'ann_former', kept: ['wp_comments'] }
  const before = await kind.observe(args)
  await kind.act(args, stepRun(before))
  await on.run(sql`drop table ann_live.\`it is "new"\``)
  await on.run(sql`create table ann_live.gone (id int)`)
  await on.run(sql`create table ann_live.more (id int)`)
  await kind.undo?.(args, before)
  const known = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('ann_copy'))
  assert.deepEqual(known(await look(on)), known(former))
})

test('names the views and triggers that cannot change places', async () => {
  const on = await machine()
  assert.deepEqual(await listMovable(on, 'ann_live'), {
    tables: ['gone', 'wp_comments', 'wp_posts'],
    obstacles: [],
    references: [],
  })
  await on.run(sql`create view ann_live.seen as select * from ann_live.wp_posts`)
  await on.run(
    sql`create trigger ann_live.counts before insert on ann_live.wp_posts for each row set new.text = new.text`,
  )
  assert.deepEqual((await listMovable(on, 'ann_live')).obstacles.toSorted(), [
    'the trigger counts',
    'the view seen',
  ])
})

test('names the foreign keys that tie tables together, and those to other databases', async () => {
  const on = await machine()
  await on.run(
    sql`create table ann_live.orders (text varchar(9), foreign key (text) references ann_live.wp_posts (text))`,
  )
  await on.run(
    sql`create table ann_live.parts (text varchar(9), constraint abroad foreign key (text) references ann_copy.wp_posts (text))`,
  )
  const { references, obstacles } = await listMovable(on, 'ann_live')
  assert.deepEqual(references, [{ table: 'orders', refers: 'wp_posts' }])
  assert.deepEqual(obstacles, ['the foreign key abroad of parts'])
  await on.run(sql`drop table ann_live.parts`)
})
