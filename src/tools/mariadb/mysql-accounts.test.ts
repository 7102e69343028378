import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import type { SqlConnection, SqlRow, SqlStatement } from '../../host/apply/steps.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { readAccount, readPasswordHash, setAccount } from './accounts.ts'
import { openPasswordHashing } from './dialect.ts'
import { hashOf } from './password-hash.ts'
import { mysqlHashOf } from './mysql-password-hash.ts'

interface Account {
  readonly plugin: string
  readonly secret: string
  readonly grants: readonly string[]
}

const usage = 'GRANT USAGE ON *.* TO `ann_app`@`localhost`'

/** A stand-in for MySQL, which has no mysql.global_priv, and another syntax for hashes. */
class StandInMysql implements SqlConnection {
  account: Account | undefined
  version = '9.7.0'
  refusal: Error | undefined

  async run({ parts, values }: SqlStatement): Promise<readonly SqlRow[]> {
    if (this.refusal) throw this.refusal
    const text = parts.join('?').replaceAll(/\s+/g, ' ')
    const { account } = this
    if (text.includes('mysql.global_priv'))
      throw connectProblems.SqlRefused("MariaDB: Table 'mysql.global_priv' doesn't exist")
    if (text === 'select version() as version') return [{ version: this.version }]
    if (text.startsWith('select plugin, authentication_string secret from mysql.user'))
      return account ? [{ plugin: account.plugin, secret: account.secret }] : []
    if (text.startsWith('show grants for')) return (account?.grants ?? []).map((grant) => ({ grant }))
    const [, verb] = /^(create|alter) user \?@\? identified with \? as \?$/.exec(text) ?? []
    if (verb !== undefined) return this.identify(verb, values)
    if (text === 'drop user ?@?') this.account = undefined
    else if (text.startsWith('GRANT ') && account)
      this.account = { ...account, grants: [...new Set([...account.grants, text])] }
    else if (text.startsWith('revoke all privileges, grant option from') && account)
      this.account = { ...account, grants: [usage] }
    else throw new Error(`not scripted: ${text}`)
    return []
  }

  private identify(verb: string, [, , plugin, secret]: SqlStatement['values']): readonly SqlRow[] {
    assert.equal(verb, this.account === undefined ? 'create' : 'alter')
    assert.ok(typeof plugin === 'object' && plugin !== null)
    const grants = this.account?.grants ?? [usage]
    this.account = { plugin: plugin.identifier, secret: String(secret), grants }
    return []
  }
}

describe('accounts of MySQL', () => {
  let server: StandInMysql
  beforeEach(() => void (server = new StandInMysql()))

  const account = { username: 'ann_app', host: 'localhost', database: 'ann_shop' }
  const act = async (hash: string | null) => {
    const kind = setAccount(server)
    const args = { ...account, hash }
    await kind.act(args, stepRun(await kind.observe(args)))
  }

  test('are created, get another password and are removed, hash by hash', async () => {
    const [first, second] = [mysqlHashOf('first'), mysqlHashOf('second')]
    await act(first)
    const grants = [usage, 'GRANT ALL PRIVILEGES ON `ann\\_shop`.* TO `ann_app`@`localhost`']
    assert.deepEqual(server.account, { plugin: 'caching_sha2_password', secret: first, grants })
    assert.equal(await readPasswordHash(server, account), first)
    await act(second)
    assert.deepEqual(server.account, { plugin: 'caching_sha2_password', secret: second, grants })
    assert.deepEqual(await readAccount(server, account), {
      authentication: [{ plugin: 'caching_sha2_password', secret: second }],
      grants,
    })
    await act(null)
    assert.equal(server.account, undefined)
    assert.equal(await readAccount(server, account), undefined)
  })

  test('are not looked for elsewhere if the server refuses for another reason', async () => {
    server.refusal = connectProblems.SqlRefused("MariaDB: SELECT command denied to user 'x'@'localhost'")
    await assert.rejects(readAccount(server, account), /SELECT command denied/)
  })

  test('have a hash of the kind that the server knows', async () => {
    const hash = openPasswordHashing(server)
    assert.match(await hash('secret'), /^\$A\$005\$/)
    server.version = '10.11.14-MariaDB-0+deb12u2'
    assert.equal(await hash('secret'), hashOf('secret'))
    server.refusal = connectProblems.NotAnswering('it is stopped')
    assert.equal(await hash('secret'), hashOf('secret'), 'the step tells that the server is stopped')
  })
})
