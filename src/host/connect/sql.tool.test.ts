import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { proveStep } from '../../../test/support/step-suite.ts'
import { identifier, sql, type SqlConnection, sqlStep } from '../apply/steps.ts'
import { type ScratchMariadb, startMariadb } from '../testing/scratch-mariadb.ts'
import { connectSql } from './sql.ts'

let server: ScratchMariadb
before(async () => void (server = await startMariadb()))
after(() => server.stop())

const root = (limits: object = {}): SqlConnection => connectSql({ ...server.target, ...limits })

interface DatabaseArgs {
  readonly name: string
  /** Null removes it. */
  readonly charset: string | null
}

const database = (connection: SqlConnection) =>
  sqlStep<DatabaseArgs, { readonly charset: string }>(connection, {
    name: 'sample.database',
    title: ({ name }) => `Database ${name}`,
    object: ({ name }) => name,
    read: ({ name }) =>
      sql`select default_character_set_name as charset from information_schema.schemata where schema_name = ${name}`,
    stateOf: ([row]) => (row === undefined ? undefined : { charset: String(row['charset']) }),
    wanted: ({ charset }) => (charset === null ? undefined : { charset }),
    write: ({ name }, state, now) => {
      if (state === undefined) return [sql`drop database ${identifier(name)}`]
      return now === undefined
        ? [sql`create database ${identifier(name)} character set ${state.charset}`]
        : [sql`alter database ${identifier(name)} character set ${state.charset}`]
    },
    show: ({ charset }) => charset,
  })

const hostile = 'shop`; drop database `mysql'
const own = async () =>
  (
    await root().run(sql`select schema_name as name, default_character_set_name as charset
    from information_schema.schemata where schema_name like 'shop%' order by 1`)
  ).map(({ name, charset }) => `${name} ${charset}`)
const set = (charset: string) => async () => {
  await root().run(sql`drop database if exists ${identifier(hostile)}`)
  await root().run(sql`create database ${identifier(hostile)} character set ${charset}`)
}
const none = () => root().run(sql`drop database if exists ${identifier(hostile)}`)

proveStep<object>('sample.database', {
  machine: async () => {
    await none()
    return {}
  },
  open: (_machine, door) => database(door(root())),
  look: own,
  cases: {
    'a new one, with a name that looks like a statement': {
      args: { name: hostile, charset: 'utf8mb4' },
      wanted: [`${hostile} utf8mb4`],
      handEdit: set('latin1'),
    },
    'another character set': {
      args: { name: hostile, charset: 'utf8mb4' },
      arrange: set('ascii'),
      wanted: [`${hostile} utf8mb4`],
      handEdit: set('latin1'),
    },
  },
})

test('values arrive as they are, whatever they contain', async () => {
  const text = `O'Hara \\ " \u0000 % 😀 -- ; \` é`
  const [row] = await root().run(
    sql`select ${text} as text, ${7} as number, ${null} as nothing, 12345678901234567890 as big`,
  )
  assert.deepEqual(row, { text, number: 7, nothing: null, big: '12345678901234567890' })
  await root().run(sql`create user ${'ann'}@${'localhost'} identified by ${text}`)
  const ann = connectSql({ ...server.target, user: 'ann', password: () => text })
  assert.deepEqual(await ann.run(sql`select current_user() as user`), [{ user: 'ann@localhost' }])
  await root().run(sql`drop user ${'ann'}@${'localhost'}`)
})

test('one statement is one statement, and the message of a refusal quotes no value', async () => {
  await assert.rejects(root().run(sql`select 1; select 2`), {
    message: /^MariaDB: You have an error in your SQL syntax/,
  })
  await assert.rejects(root().run(sql`create user ${'top-secret'} nonsense`), (error: Error) => {
    assert.match(error.message, /nonsense/)
    assert.doesNotMatch(error.message, /top-secret/)
    return true
  })
})

test('a statement has a limit of time, of rows and of size', async () => {
  const numbers = sql`select seq from mysql.seq_1_to_1000`
  await assert.rejects(root({ timeoutMs: 100 }).run(sql`select sleep(20)`), /within 100 ms/)
  await assert.rejects(root({ maxRows: 10 }).run(numbers), /more than 10 rows/)
  await assert.rejects(root({ maxBytes: 100 }).run(numbers), /100 characters/)
  assert.equal((await root().run(numbers)).length, 1000)
  assert.deepEqual(await root().run(sql`set @a = 1`), [])
})

test('a server that does not run, and a password that is wrong, are failures without the password', async () => {
  const at = { socketPath: '/run/hostreeve-test-missing.sock' }
  await assert.rejects(
    connectSql({ ...server.target, at }).run(sql`select 1`),
    /^.*MariaDB cannot be reached: connect ENOENT/,
  )
  const wrong = connectSql({ ...server.target, user: 'nobody', password: () => 'hunter2' })
  await assert.rejects(wrong.run(sql`select 1`), (error: Error) => {
    assert.match(error.message, /MariaDB cannot be reached: Access denied/)
    assert.doesNotMatch(error.message, /hunter2/)
    return true
  })
})
