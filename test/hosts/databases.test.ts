import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { killWhile } from './story/kill.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'

describe('databases of websites', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let bob: Owner
  let adaSite: number
  before(async () => {
    host = await bootHost('databases', { image: 'mariadb' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    await admin.must('POST', '/api/sqldb/install')
    ada = await admin.makeOwner('ada')
    bob = await admin.makeOwner('bob')
    adaSite = (await ada.signedIn.must('POST', '/api/websites', { domain: 'ada.test', type: 'static' })).id
  })
  after(() => host?.remove())

  const query = async (text: string) => (await host.must(['mariadb', '--batch', '-Ne', text])).stdout.trim()
  const as = (user: string, password: string, text: string) =>
    host.exec(['mariadb', `--user=${user}`, '-Ne', text], { env: { MYSQL_PWD: password } })
  const create = (owner: Owner, site: number, name: string) =>
    owner.signedIn.must('POST', `/api/websites/${site}/databases`, {
      ...{ name, username: name, password: `the password of ${name}` },
    })

  it('are created, used, copied and deleted as the guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/website-databases.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide.split('## 5. PostgreSQL')[0] ?? ''))
    assert.match(output, /"name":"ada_shop".*"state":"present".*"table_count":1/)
    assert.match(output, /"socket":"\/run\/mysqld\/mysqld.sock"/)
    assert.match(output, /orders\n2\n/)
    assert.match(output, /copied\n2\n/)
    assert.equal(
      await query("select count(*) from mysql.user where User in ('ada_reports', 'ada_stager')"),
      '0',
    )
    assert.equal(await query("show databases like 'ada\\_staging'"), '')
  })

  it('do not lead from one owner to another', async () => {
    const bobSite = (await bob.signedIn.must('POST', '/api/websites', { domain: 'bob.test', type: 'static' }))
      .id
    await create(bob, bobSite, 'secrets')
    const { id } = await create(ada, adaSite, 'plain')
    await query('create table bob_secrets.t (a int)')
    const password = 'the password of plain'
    assert.match((await as('ada_plain', password, 'show databases')).stdout, /^ada_plain\n/)
    for (const text of [
      'select * from bob_secrets.t',
      'create table bob_secrets.u (a int)',
      'grant all on ada_plain.* to bob_secrets@localhost',
      'create definer = root@localhost view ada_plain.v as select 1',
      "select load_file('/etc/passwd') into outfile '/tmp/ada'",
    ])
      assert.match((await as('ada_plain', password, text)).stderr, /denied/, text)
    for (const [method, path, body] of [
      ['DELETE', `/api/databases/${id}`, undefined],
      ['POST', `/api/databases/${id}/users`, { username: 'x', password: 'x' }],
      ['POST', `/api/databases/${id}/users/ada_plain/reset-password`, undefined],
      ['GET', `/api/websites/${adaSite}/databases`, undefined],
    ] as const)
      assert.equal((await bob.signedIn.ask(method, path, body)).status, 404)
  })

  it('show no password in the list of processes while a copy is made, and drop it when the panel is killed', async () => {
    const { id } = await create(ada, adaSite, 'big')
    await query('create table ada_big.t (a int); insert into ada_big.t values (1)')
    const holding = host.exec(['mariadb', '-e', 'lock tables ada_big.t write; do sleep(100000)'])
    const holder = await poll('the lock', 60_000, async () => {
      const found = await query(
        "select id from information_schema.processlist where info = 'do sleep(100000)'",
      )
      return found === '' ? undefined : found
    })
    const copy = { name: 'copy', username: 'copier', password: 'never seen', website_id: adaSite }
    let programs = ''
    await killWhile(
      panel,
      () => ada.signedIn.ask('POST', `/api/databases/${id}/duplicate`, copy),
      async () => {
        programs = (await host.must(['ps', '-eo', 'args'])).stdout
        return /^mariadb-dump /m.test(programs) && /^mariadb .*ada_copy$/m.test(programs)
      },
    )
    await query(`kill ${holder}`)
    await holding
    assert.match(programs, /^mariadb-dump /m)
    assert.doesNotMatch(programs, /never seen|--password|MYSQL_PWD/)
    await poll('the job to end', 60_000, async () => {
      const { state } = await admin.latestJob('databases.duplicate')
      return ['queued', 'running'].includes(state) ? undefined : true
    })
    assert.equal(await query("show databases like 'ada\\_copy'"), '')
    assert.equal(await query("select count(*) from mysql.user where User = 'ada_copier'"), '0')
    assert.equal((await host.exec(['ls', '/root/.hostreeve-copy-ada_copy.cnf'])).stdout, '')
    const again = await ada.signedIn.ask('POST', `/api/databases/${id}/duplicate`, copy)
    assert.equal(again.status, 201, again.message)
    assert.equal((await as('ada_copier', 'never seen', 'select a from ada_copy.t')).stdout, '1\n')
  })

  it('are told as unknown while the server is stopped, and as missing when they were dropped', async () => {
    const { id } = await create(ada, adaSite, 'gone')
    const stateOf = async () => {
      const { items } = await ada.signedIn.must('GET', `/api/websites/${adaSite}/databases?search=ada_gone`)
      return items[0]?.state
    }
    await admin.must('POST', '/api/sqldb/stop')
    assert.equal(await stateOf(), 'unknown')
    assert.equal((await ada.signedIn.ask('DELETE', `/api/databases/${id}`)).code, 'delete_failed')
    await admin.must('POST', '/api/sqldb/start')
    await query('drop database ada_gone')
    assert.equal(await stateOf(), 'missing')
    await ada.signedIn.must('DELETE', `/api/databases/${id}`)
    assert.equal(await stateOf(), undefined)
  })

  it('leave with their owner if that is asked for, and with them their users', async () => {
    await admin.must('DELETE', `/api/users/${ada.userId}?files=remove&databases=remove`)
    assert.equal(await query("show databases like 'ada\\_%'"), '')
    assert.equal(await query("select count(*) from mysql.user where User like 'ada\\_%'"), '0')
    assert.equal(await query("show databases like 'bob\\_%'"), 'bob_secrets')
  })
})
