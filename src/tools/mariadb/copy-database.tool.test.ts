import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { identifier, sql, type SqlConnection } from '../../host/apply/steps.ts'
import { connect } from '../../host/connect/index.ts'
import { openFiles } from '../../host/files.ts'
import { run } from '../../host/run.ts'
import { type ScratchMariadb, startMariadb } from '../../host/testing/scratch-mariadb.ts'
import { setAccount } from './accounts.ts'
import { type Copying, copyDatabase } from './copy-database.ts'
import { hashOf } from './password-hash.ts'
import { openPour } from './pour.ts'

let server: ScratchMariadb
before(async () => {
  server = await startMariadb()
  await makeSource()
})
after(() => server.stop())

const root = (): SqlConnection => connect.sql(server.target)
const socketPath = () => ('socketPath' in server.target.at ? server.target.at.socketPath : '')
const args = {
  ...{ source: 'ann_shop', name: 'ann_copy', label: 'd41d8cd9', username: 'ann_copier' },
  ...{ password: 'temporary', charset: 'utf8mb4', collation: 'utf8mb4_unicode_ci' },
}

async function makeSource(): Promise<void> {
  await root().run(sql`create database ann_shop character set utf8mb4 collate utf8mb4_unicode_ci`)
  const ann = { username: 'ann_app', host: 'localhost', database: 'ann_shop', hash: hashOf('ann') }
  const copier = {
    username: 'ann_copier',
    host: 'localhost',
    database: 'ann_copy',
    hash: hashOf('temporary'),
  }
  const kind = setAccount(root())
  for (const each of [ann, copier]) await kind.act(each, stepRun(await kind.observe(each)))
  const argv = ['mariadb', '--no-defaults', '--user=root', `--socket=${socketPath()}`, 'ann_shop'] as const
  const { code, stderr } = await run(argv, { input: source })
  assert.equal(code, 0, stderr)
}

/** The text and the procedure contain what breaks careless copies: delimiters, commands of the client, definers. */
const source = `
  create table parent (id int primary key, text varchar(200), bytes varbinary(300));
  create table child (id int primary key, parent int, foreign key (parent) references parent (id));
  insert into parent values (1, 'O\\'Hara \\\\ 😀 \\n CREATE DEFINER=\`a\`@\`b\`', unhex('00ff0a27'));
  insert into child values (7, 1);
  create definer = ann_app@localhost view seen as select * from parent;
  create definer = ann_app@localhost trigger counts before insert on child for each row set new.id = new.id;
  create definer = ann_app@localhost function two() returns int deterministic return 2;
  create definer = ann_app@localhost event daily on schedule every 1 day do delete from child;
  delimiter //
  create definer = ann_app@localhost procedure hostile() select ';;
\\! touch /tmp/hostreeve-was-here
'//
`

interface Machine {
  readonly root: string
}

const copying = ({ root: files }: Machine): Copying => ({
  ...{ connection: root(), pour: openPour(run), socketPath: socketPath() },
  files: openFiles(files),
})
const machine = async (root_: string): Promise<Machine> => {
  await openFiles(root_).makeDirectory('/root')
  await root().run(sql`drop database if exists ann_copy`)
  return { root: root_ }
}
const existing = () => root().run(sql`create database if not exists ann_copy`)

async function look({ root: files }: Machine) {
  const rows = await root().run(sql`select table_name as name from information_schema.tables
    where table_schema = ${'ann_copy'} order by 1`)
  const [schema] = await root().run(
    sql`select schema_comment as comment from information_schema.schemata where schema_name = ${'ann_copy'}`,
  )
  const isLeft = existsSync(`${files}/root/.hostreeve-copy-ann_copy.cnf`)
  return { comment: schema?.['comment'] ?? null, tables: rows.map(({ name }) => name), isLeft }
}

proveStep<Machine>('mariadb.copy-database', {
  machine: (t) => machine(scratchRoot(t)),
  open: (on, door) => {
    const { connection, pour, files } = copying(on)
    return copyDatabase({
      ...{ connection: door(connection), pour: door(pour), files: door(files) },
      socketPath: socketPath(),
    })
  },
  look,
  cases: {
    'a database with keys, views, routines, triggers and events': {
      args,
      wanted: {
        comment: `was copied by the panel: ${args.label}`,
        tables: ['child', 'parent', 'seen'],
        isLeft: false,
      },
      handEdit: existing,
      refusedAfter: existing,
    },
  },
})

test('the copy has the same rows, and its views and routines belong to the account that loaded it', async (t) => {
  const on = copying(await machine(scratchRoot(t)))
  const kind = copyDatabase(on)
  await kind.act(args, stepRun(await kind.observe(args)))
  for (const table of ['parent', 'child', 'seen']) {
    const [one, other] = await Promise.all(
      ['ann_shop', 'ann_copy'].map((name) =>
        root().run(sql`select * from ${identifier(name)}.${identifier(table)}`),
      ),
    )
    assert.deepEqual(one, other)
    assert.equal(one?.length, 1)
  }
  const definers = await root()
    .run(sql`select definer from information_schema.views where table_schema = 'ann_copy'
    union all select definer from information_schema.routines where routine_schema = 'ann_copy'
    union all select definer from information_schema.triggers where trigger_schema = 'ann_copy'
    union all select definer from information_schema.events where event_schema = 'ann_copy'`)
  assert.deepEqual(
    definers.map(({ definer }) => definer),
    Array.from({ length: 5 }, () => 'ann_copier@localhost'),
  )
  const copier = connect.sql({ ...server.target, user: 'ann_copier', password: () => 'temporary' })
  assert.deepEqual(
    await copier.run(sql`select ann_copy.two() as two, count(*) as rows_ from ann_copy.seen`),
    [{ two: 2, rows_: 1 }],
  )
  assert.equal(existsSync('/tmp/hostreeve-was-here'), false)
})

test('a copy that fails is dropped, quotes the message of the program, and shows no password', async (t) => {
  const on = copying(await machine(scratchRoot(t)))
  const kind = copyDatabase(on)
  for (const [wrong, message] of [
    [{ source: 'ann_missing' }, /Unknown database 'ann_missing'/],
    [{ password: 'another' }, /Access denied for user 'ann_copier'@'localhost'/],
  ] as const) {
    const asked = { ...args, ...wrong }
    const seen = await kind.observe(asked)
    await assert.rejects(Promise.resolve(kind.act(asked, stepRun(seen))), (error: Error) => {
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /temporary|another/)
      return true
    })
    await kind.undo(asked, seen)
    assert.deepEqual(await look({ root: on.files.real('/') }), { comment: null, tables: [], isLeft: false })
  }
})
