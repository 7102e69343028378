import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep } from '../../../test/support/step-suite.ts'
import { identifier, sql, type SqlConnection } from '../../host/apply/steps.ts'
import { connect } from '../../host/connect/index.ts'
import { type ScratchMariadb, startMariadb } from '../../host/testing/scratch-mariadb.ts'
import { findAccounts, hasRights, setAccount } from './accounts.ts'
import { hashOf } from './password-hash.ts'

let server: ScratchMariadb
before(async () => void (server = await startMariadb()))
after(() => server.stop())

const root = (): SqlConnection => connect.sql(server.target)
const as = (user: string, password: string) =>
  connect.sql({ ...server.target, user, password: () => password })
const account = { username: 'ann_app', host: 'localhost', database: 'ann_shop' }
const grants = [
  'GRANT USAGE ON *.* TO `ann_app`@`localhost`',
  'GRANT ALL PRIVILEGES ON `ann\\_shop`.* TO `ann_app`@`localhost`',
]

const clear = () => root().run(sql`drop user if exists ${'ann_app'}@${'localhost'}`)
const existing = (password: string) => async () => {
  await clear()
  await root().run(sql`create user ${'ann_app'}@${'localhost'} identified by ${password}`)
  await root().run(sql`grant select on ${identifier('ann\\_shop')}.* to ${'ann_app'}@${'localhost'}`)
}

async function look() {
  const [row] = await root().run(sql`select Priv as priv from mysql.global_priv where User = ${'ann_app'}`)
  if (row === undefined) return null
  const shown = await root().run(sql`show grants for ${'ann_app'}@${'localhost'}`)
  const { authentication_string: hash } = JSON.parse(String(row['priv']))
  return { hash, grants: shown.map((each) => String(Object.values(each)[0]).replace(/ IDENTIFIED.*/, '')) }
}

proveStep<object>('mariadb.set-account', {
  machine: async () => {
    await clear()
    return {}
  },
  open: (_machine, door) => setAccount(door(root())),
  look,
  cases: {
    'a new account': {
      args: { ...account, hash: hashOf('first') },
      wanted: { hash: hashOf('first'), grants },
      handEdit: existing('other'),
    },
    'another password, which leaves the rights': {
      args: { ...account, hash: hashOf('second') },
      arrange: existing('first'),
      wanted: {
        hash: hashOf('second'),
        grants: [grants[0], 'GRANT SELECT ON `ann\\_shop`.* TO `ann_app`@`localhost`'],
      },
      handEdit: existing('other'),
    },
    'a removal': { args: { ...account, hash: null }, arrange: existing('first'), wanted: null },
  },
})

test('an account has rights on its database, and on none whose name its pattern could match', async () => {
  await clear()
  const everyByte = Array.from({ length: 255 }, (_, code) => String.fromCharCode(code + 1)).join('')
  await root().run(sql`create database ann_shop`)
  await root().run(sql`create database annexshop`)
  const kind = setAccount(root())
  const args = { ...account, hash: hashOf(everyByte) }
  await kind.act(args, stepRun(await kind.observe(args)))
  const ann = as('ann_app', everyByte)
  await ann.run(sql`create table ann_shop.t (a int)`)
  for (const database of ['annexshop', 'mysql'])
    await assert.rejects(ann.run(sql`create table ${identifier(database)}.t (a int)`), /denied/)
  await assert.rejects(ann.run(sql`grant all on ann_shop.* to root@localhost`), /denied/)
  const seen = await ann.run(sql`show databases`)
  assert.deepEqual(
    seen.map((row) => row['Database']),
    ['ann_shop', 'information_schema'],
  )
  assert.deepEqual(await findAccounts(root(), 'ann_app'), [{ username: 'ann_app', host: 'localhost' }])
  assert.deepEqual(await findAccounts(root(), 'ANN_APP'), [])
  const owner = { username: 'ann_app', host: 'localhost' }
  assert.equal(await hasRights(root(), owner), true)
  await root().run(sql`revoke all privileges, grant option from ann_app@localhost`)
  assert.equal(await hasRights(root(), owner), false)
})
