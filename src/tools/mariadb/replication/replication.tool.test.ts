import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { freePort } from '../../../../test/support/free-ports.ts'
import { stepRun } from '../../../../test/support/step-run.ts'
import { until } from '../../../../test/support/until.ts'
import { sql, type SqlStatement } from '../../../host/apply/steps.ts'
import { connect } from '../../../host/connect/index.ts'
import { openFiles } from '../../../host/files.ts'
import { run } from '../../../host/run.ts'
import { createSelfSigned } from '../../../host/self-signed.ts'
import { type ScratchMariadb, startMariadb } from '../../../host/testing/scratch-mariadb.ts'
import { hashOf } from '../password-hash.ts'
import { listDatabaseSizes } from '../statistics.ts'
import { dumpServer } from './dump-server.ts'
import { followPrimary, forgetPrimary, restartReplica, skipChange, switchReplica } from './follow.ts'
import { hasHeartbeatTable, makeHeartbeatTable, readHeartbeat, writeHeartbeat } from './heartbeat.ts'
import { loadServer, prepareForLoad } from './load-server.ts'
import { setReplicaAccount } from './replica-account.ts'
import { copyAccounts, listAccounts } from './server-accounts.ts'
import { listFollowers, readFailedChange, readPosition, readReplica } from './status.ts'

const user = 'hostreeve_replica_1'
const password = 'the password of the replica'
const { signal } = new AbortController()

/** Statements as a person writes them. */
const typed = (text: string): SqlStatement => ({ parts: [text], values: [] })

describe('two servers', () => {
  let folder: string
  let port: number
  let primary: ScratchMariadb
  let replica: ScratchMariadb
  let certificate: string
  before(async () => {
    folder = mkdtempSync('/tmp/hostreeve-replication-')
    await run(['chmod', '755', folder])
    mkdirSync(`${folder}/etc/mysql`, { recursive: true })
    const made = await createSelfSigned('primary', [{ type: 'dns', value: 'primary' }], new Date())
    certificate = made.cert
    const files = openFiles(folder)
    await files.write('/server.crt', made.cert)
    await files.write('/server.key', made.key)
    port = await freePort()
    const args = ['--gtid-strict-mode=1', '--log-slave-updates']
    const tls = [`--ssl-cert=${folder}/server.crt`, `--ssl-key=${folder}/server.key`]
    primary = await startMariadb({ hasBinaryLog: true, port, args: [...args, ...tls, '--server-id=11'] })
    replica = await startMariadb({ hasBinaryLog: true, args: [...args, '--server-id=12'] })
  })
  after(async () => {
    await replica?.stop()
    await primary?.stop()
    rmSync(folder, { recursive: true })
  })

  const at = (server: ScratchMariadb) => connect.sql(server.target)
  const on = async (server: ScratchMariadb, ...texts: readonly string[]) => {
    for (const text of texts) await at(server).run(typed(text))
  }
  const valueOf = async (server: ScratchMariadb, text: string) =>
    Object.values((await at(server).run(typed(text)))[0] ?? {})[0]
  const checksum = async (server: ScratchMariadb) =>
    (await at(server).run(typed('checksum table shop.items')))[0]?.['Checksum']
  const act = (
    kind: { act(args: any, run: any): Promise<any>; observe(args: any): Promise<any> },
    args: unknown,
  ) => kind.observe(args).then((before) => kind.act(args, { ...stepRun(before), before }))
  const following = () => ({ connection: at(replica), files: openFiles(folder) })
  const follow = (cert: string) =>
    act(followPrimary(following()), { host: '127.0.0.1', port, user, password, certificate: cert })
  const status = async () => (await readReplica(at(replica)))!
  const caughtUp = () =>
    until(async () => {
      const [one, other] = await Promise.all([readPosition(at(primary)), readPosition(at(replica))])
      return one.gtid !== '' && one.gtid === other.gtid
    })
  const synchronise = async () => {
    const { gtid } = await readPosition(at(primary))
    const names = (await at(primary).run(typed("show databases like 'shop%'"))).map((row) =>
      String(Object.values(row)[0]),
    )
    const dump = dumpServer({ run, socketPath: primary.socketPath }, { databases: names, gtid }, signal)
    await prepareForLoad(at(replica))
    const loading = { run, socketPath: replica.socketPath, connection: at(replica) }
    await loadServer(loading, dump, { signal, onProgress: () => {} })
  }

  test('the account of a replica may read the log over TLS, and nothing else', async () => {
    await act(setReplicaAccount(at(primary)), { username: user, hash: hashOf(password) })
    const [grant] = await at(primary).run(sql`show grants for ${user}@${'%'}`)
    assert.match(String(Object.values(grant ?? {})[0]), /^GRANT REPLICATION SLAVE ON \*\.\* .* REQUIRE SSL$/)
    const plain = { ...primary.target, user, password: () => password }
    await assert.rejects(connect.sql(plain).run(sql`select 1`), /Access denied/)
  })

  test('a server without databases is followed as well', async () => {
    await synchronise()
    await follow(certificate)
    await until(async () => (await status()).isReceiving)
  })

  test('the replica gets the databases and accounts of the dump, and every change after it', async () => {
    await on(
      primary,
      'create database shop',
      'create table shop.items (id int primary key, name text)',
      "insert into shop.items values (1, 'it''s; \\\\ a \"thing\"')",
      "create user 'app'@'%' identified by 'first password'",
      "grant select on shop.* to 'app'@'%'",
    )
    await synchronise()
    const copied = await copyAccounts(connect.session(replica.target), await listAccounts(at(primary)))
    assert.deepEqual(copied, { accounts: 1 })
    assert.equal((await status().catch(() => undefined)) ?? null, null)
    await follow(certificate)
    await on(
      primary,
      "insert into shop.items values (2, 'second')",
      "set password for 'app'@'%' = password('second')",
    )
    await caughtUp()
    assert.equal(await checksum(replica), await checksum(primary))
    assert.deepEqual(await listAccounts(at(replica)), await listAccounts(at(primary)))
    const [follower] = await listFollowers(at(primary))
    assert.deepEqual([follower?.user, follower?.address], [user, 'localhost'])
    await until(async () => (await listFollowers(at(primary)))[0]?.hasAll === true)
    const { lagSeconds, errorNumber, isApplying } = await status()
    assert.deepEqual([lagSeconds, errorNumber, isApplying], [0, 0, true])
  })

  test('a replica receives the heartbeat of its primary, by the server id of that', async () => {
    const { primaryId } = await status()
    assert.equal(primaryId, 11)
    assert.deepEqual(
      [await readHeartbeat(at(replica), primaryId), await hasHeartbeatTable(at(replica))],
      [undefined, false],
    )
    for (const written of [1_796_000_000_123, 1_796_000_001_456]) {
      await makeHeartbeatTable(at(primary))
      await writeHeartbeat(at(primary), { serverId: 11, at: written })
      await caughtUp()
      assert.equal(await readHeartbeat(at(replica), primaryId), written)
    }
    assert.equal(await readHeartbeat(at(replica), 99), undefined)
    assert.deepEqual(
      (await listDatabaseSizes(at(replica))).map(({ name }) => name),
      ['shop'],
    )
  })

  test('a replica that is stopped catches up when it is started', async () => {
    await act(switchReplica(at(replica)), { verb: 'stop' })
    await on(primary, "insert into shop.items values (3, 'third')")
    assert.deepEqual(
      [(await status()).isApplying, await valueOf(replica, 'select count(*) from shop.items')],
      [false, 2],
    )
    await act(switchReplica(at(replica)), { verb: 'start' })
    await caughtUp()
    assert.equal(await checksum(replica), await checksum(primary))
  })

  test('a change that cannot be applied is named, and left out alone', async () => {
    await on(primary, "insert into shop.items values (4, 'fourth')")
    await caughtUp()
    const session = connect.session(replica.target)
    await session('utf8mb4', [
      typed('set sql_log_bin = 0'),
      typed("insert into shop.items values (5, 'by hand')"),
    ])
    await on(
      primary,
      "insert into shop.items values (5, 'lost')",
      "insert into shop.items values (6, 'sixth')",
    )
    await until(async () => (await status()).errorNumber === 1062)
    const broken = await status()
    assert.match(broken.errorMessage, /Duplicate entry '5'/)
    const failed = await readFailedChange(at(replica), broken)
    assert.match(failed.gtid, /^0-11-\d+$/)
    assert.match(failed.statements.join('\n'), /insert into shop\.items values \(5, 'lost'\)/)
    const left = await act(skipChange(at(replica)), failed)
    assert.deepEqual(left, { is_stopped_again: false })
    await until(async () => (await valueOf(replica, 'select count(*) from shop.items')) === 6)
    assert.equal(await valueOf(replica, 'select name from shop.items where id = 5'), 'by hand')
  })

  test('a dump that breaks off fails, and nothing is followed', async () => {
    const dump = dumpServer(
      { run, socketPath: primary.socketPath },
      { databases: ['shop'], gtid: '' },
      signal,
    )
    const whole = Buffer.concat(await dump.toArray())
    const loading = { run, socketPath: replica.socketPath, connection: at(replica) }
    await prepareForLoad(at(replica))
    const part = Readable.from([whole.subarray(0, -20)])
    await assert.rejects(loadServer(loading, part, { signal, onProgress: () => {} }), /broke off/)
    assert.equal(await readReplica(at(replica)), undefined)
    await synchronise()
    await follow(certificate)
    await caughtUp()
    assert.equal(await checksum(replica), await checksum(primary))
  })

  test('a primary with another certificate is not followed', async () => {
    const { cert } = await createSelfSigned('primary', [{ type: 'dns', value: 'primary' }], new Date())
    await follow(cert)
    await until(async () => /SSL|certificate/i.test((await status()).errorMessage))
    await follow(certificate)
    await caughtUp()
  })

  test('a replica whose account is removed is cut off, and forgets its primary', async () => {
    await act(setReplicaAccount(at(primary)), { username: user, hash: null })
    await until(async () => (await listFollowers(at(primary))).length === 0)
    await act(restartReplica(at(replica)), null)
    await until(async () => (await status()).errorNumber === 1045)
    await act(forgetPrimary(following()), null)
    assert.equal(await readReplica(at(replica)), undefined)
    assert.equal(await valueOf(replica, 'select count(*) from shop.items'), 6)
  })
})
