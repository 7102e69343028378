import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, poll, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { SignedIn } from './story/signed-in.ts'

const limitMs = 120_000
const isLong = process.env['HOSTREEVE_LONG'] !== undefined
const base = '/api/sqldb/replication'
const primaryPanel = 'https://10.78.0.11:2087'

const peerPaths = [
  'accept',
  'databases',
  'db-sizes',
  'dump',
  'dump-db',
  'dump-users',
  'position',
  'setup-master',
  'start-slave',
]

/** The panel of a host behind TLS with the panel's own certificate, as other hosts reach it. */
async function serveByTls(host: Host): Promise<void> {
  const server = `server { listen 10.78.0.11:2087 ssl; client_max_body_size 0; proxy_buffering off;
    ssl_certificate /var/lib/hostreeve/tls/panel.crt; ssl_certificate_key /var/lib/hostreeve/tls/panel.key;
    location / { proxy_pass http://127.0.0.1:7070; proxy_set_header Host $http_host; proxy_read_timeout 600s; } }\n`
  await writeFile(join(host.rootPath, '/etc/nginx/conf.d/panel.conf'), server)
  await host.must(['systemctl', 'restart', 'nginx'])
}

describe('two hosts that replicate', () => {
  let first: Host
  let second: Host
  let panel: Panel
  let replicaPanel: Panel
  let admin: SignedIn
  let onReplica: SignedIn
  let syncKey = ''
  before(async () => {
    first = await bootHost('sqlprimary', { image: 'mariadb', addresses: ['10.78.0.11/24'] })
    second = await bootHost('sqlreplica', { image: 'mariadb', addresses: ['10.78.0.12/24'] })
    for (const host of [first, second])
      await host.must(['systemctl', 'start', 'mariadb'], { timeoutMs: limitMs })
    panel = await startPanel(first)
    replicaPanel = await startPanel(second)
    admin = await SignedIn.as(panel)
    onReplica = await SignedIn.as(replicaPanel)
    await serveByTls(first)
    await sql(
      first,
      `create database shop; create table shop.items (id int primary key auto_increment, name text);
       insert into shop.items (name) select concat('item ', seq) from mysql.seq_1_to_1000;
       create user 'app'@'%' identified by 'the password of the app'; grant select on shop.* to 'app'@'%'`,
    )
  })
  after(async () => {
    await second?.remove()
    await first?.remove()
  })

  const sql = async (host: Host, statement: string) =>
    (await host.must(['mariadb', '-Ne', statement], { timeoutMs: limitMs })).stdout.trim()
  const checksum = (host: Host) => sql(host, 'checksum table shop.items')
  const state = () => onReplica.must('GET', base)
  const lagIs = (what: string, is: (replica: any) => boolean) =>
    poll(`the lag to be ${what}`, limitMs, async () => is((await state()).replica) || undefined)
  const gtid = (host: Host) => sql(host, 'select @@gtid_current_pos')
  const caughtUp = () =>
    poll('the replica to have every change', limitMs, async () =>
      (await gtid(first)) === (await gtid(second)) ? true : undefined,
    )
  const assertEqual = async () => {
    await caughtUp()
    assert.equal(await checksum(second), await checksum(first))
  }
  const ended = (id: number) =>
    poll('the synchronisation to end', limitMs, async () => {
      const job = await onReplica.must('GET', `/api/jobs/${id}`)
      return ['queued', 'running'].includes(job.state) ? undefined : job
    })

  /** Begins a synchronisation that waits for a lock on the replica until it is released. */
  const waitingSync = async () => {
    const holding = second.exec(['mariadb', '-e', 'lock tables shop.items read; select sleep(600)'], {
      timeoutMs: 300_000,
    })
    const processes = "information_schema.processlist where info like 'select sleep(600)%'"
    await poll('the lock', limitMs, async () =>
      (await sql(second, `select count(*) from ${processes}`)) === '1' ? true : undefined,
    )
    const { job_id } = await onReplica.must('POST', `${base}/sync`)
    await poll('the load to wait', limitMs, async () => {
      const { processes: shown } = await onReplica.must('GET', '/api/sqldb/processes')
      return (
        shown.some(({ state: at }: { state: string | null }) => /metadata lock/.test(at ?? '')) || undefined
      )
    })
    const release = async () => {
      const holder = await sql(second, `select id from ${processes}`)
      if (holder !== '') await sql(second, `kill ${holder}`)
      await holding
    }
    return { job_id, release }
  }
  const assertSynchronises = async () => {
    const { job_id } = await onReplica.must('POST', `${base}/sync`, { overwrite: true })
    assert.equal((await ended(job_id)).state, 'succeeded')
    await assertEqual()
    assert.equal(
      await sql(second, 'checksum table shop.large'),
      await sql(first, 'checksum table shop.large'),
    )
  }

  it('follows the guide, as it stands there', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/sql-replication.md'), 'utf8')
    const [onFirst = '', onSecond = ''] = shellBlocks(guide)
    const made = await runAll(first, panel, [onFirst])
    syncKey = /hrs_[0-9a-f]{64}/.exec(made)?.[0] ?? ''
    assert.notEqual(syncKey, '', made)
    const output = await runAll(second, replicaPanel, [
      `PRIMARY=${primaryPanel}\nSYNC_KEY=${syncKey}\n`,
      onSecond,
    ])
    assert.match(output, /"pinned": ?true/)
    await assertEqual()
    assert.equal(await sql(second, 'select count(*) from shop.items'), '1000')
    const login = [
      'mariadb',
      '-uapp',
      '-pthe password of the app',
      '-Ne',
      'select count(*) from shop.items',
    ] as const
    assert.equal((await second.must(login)).stdout.trim(), '1000')
    const [slave] = await admin.must('GET', `${base}/slaves`)
    assert.deepEqual([slave.name, slave.connected, slave.address], ['db2', true, '10.78.0.12'])
  })

  it('knows how far it is behind by the heartbeat of the primary, and writes nothing itself', async () => {
    await lagIs('none', ({ lag_seconds, lag_source }) => lag_seconds === 0 && lag_source === 'heartbeat')
    const rows = 'select server_id from `hostreeve:replication`.heartbeat'
    const id = await sql(first, 'select @@server_id')
    assert.deepEqual([await sql(first, rows), await sql(second, rows)], [id, id])
    const own = await sql(second, 'select @@server_id')
    assert.doesNotMatch(await sql(second, 'select @@gtid_binlog_state'), new RegExp(`-${own}-`))
    await lagIs('recorded', ({ lag_history }) => lag_history.length > 0)
    const { databases } = await admin.must('GET', '/api/sqldb/monitor-stats')
    assert.deepEqual(
      databases.map(({ name }: { name: string }) => name),
      ['shop'],
    )
  })

  it('shows no secret in a command, a log or the activity', async () => {
    const { items } = await onReplica.must('GET', '/api/activity?per_page=100')
    for (const text of [JSON.stringify(items), await panel.log(), await replicaPanel.log()])
      assert.doesNotMatch(text, new RegExp(syncKey.slice(12)))
    const { stdout } = await second.must(['ps', '-eo', 'args'])
    assert.doesNotMatch(stdout, /hrs_|master_password/i)
  })

  it('refuses a wrong sync key at every endpoint for other panels, and admits the right one', async () => {
    const wrong = `${syncKey.slice(0, -1)}${syncKey.endsWith('0') ? '1' : '0'}`
    const ask = (path: string, key?: string) =>
      panel.request('POST', `${base}/${path}`, {
        body: {},
        ...(key !== undefined && { headers: { 'x-panel-sync-key': key } }),
      })
    for (const path of peerPaths)
      for (const key of [wrong, '', undefined])
        assert.equal((await ask(path, key)).status, 401, `${path} with ${key}`)
    const operator = await admin.withPermissions('operator', ['administrative_operations'])
    for (const path of peerPaths)
      assert.equal((await operator.ask('POST', `${base}/${path}`, {})).status, 403, path)
    assert.equal((await ask('databases', syncKey)).status, 200)
    const dump = await panel.request('POST', `${base}/dump-db`, {
      body: { database: 'shop' },
      headers: { 'x-panel-sync-key': syncKey },
    })
    assert.deepEqual([dump.status, dump.bytes.subarray(0, 2)], [200, Buffer.from([0x1f, 0x8b])])
  })

  it('catches up after the cable was cut during replication', async () => {
    await second.cutNetwork()
    await sql(first, "insert into shop.items (name) select concat('cut ', seq) from mysql.seq_1_to_500")
    assert.equal(await sql(second, 'select count(*) from shop.items'), '1000')
    await lagIs('seen', ({ lag_seconds, lag_source }) => lag_seconds >= 3 && lag_source === 'heartbeat')
    await second.restoreNetwork()
    await onReplica.must('POST', '/api/settings/sqldb/replication/restart')
    await assertEqual()
    assert.equal(await sql(second, 'select count(*) from shop.items'), '1500')
    await lagIs('none again', ({ lag_seconds }) => lag_seconds === 0)
  })

  it('stops and starts, and refuses what a replica cannot do', async () => {
    await onReplica.must('POST', `${base}/stop`)
    assert.equal((await state()).replica.state, 'stopped')
    await sql(first, "insert into shop.items (name) values ('later')")
    await onReplica.must('POST', `${base}/start`)
    await assertEqual()
    for (const [method, path, body] of [
      ['POST', `${base}/init`, {}],
      ['POST', `${base}/connect`, { url: primaryPanel, sync_key: syncKey }],
      ['POST', '/api/settings/sqldb/replication/skip-error', undefined],
    ] as const)
      assert.equal((await onReplica.ask(method, path, body)).code, 'conflict', path)
    assert.equal((await admin.ask('POST', `${base}/sync`)).code, 'conflict')
    assert.equal(await sql(second, 'select @@read_only'), '1')
    const added = await onReplica.ask('POST', `${base}/slaves`, { name: 'chained' })
    assert.deepEqual([added.status, added.code], [409, 'conflict'])
    await second.must(['systemctl', 'stop', 'mariadb'], { timeoutMs: limitMs })
    const skipped = await onReplica.ask('POST', '/api/settings/sqldb/replication/skip-error')
    assert.deepEqual([skipped.status, skipped.code], [500, 'sql_error'])
    await second.must(['systemctl', 'start', 'mariadb'], { timeoutMs: limitMs })
  })

  it('explains what it stopped at, and leaves that change out', async () => {
    const next = Number(await sql(second, 'select max(id) + 1 from shop.items'))
    await sql(second, `set sql_log_bin = 0; insert into shop.items values (${next}, 'by hand')`)
    await sql(
      first,
      `insert into shop.items values (${next}, 'lost'); insert into shop.items values (${next + 1}, 'kept')`,
    )
    const broken = await poll('the replica to stop', limitMs, async () => {
      const { replica } = await state()
      return replica.state === 'broken' ? replica : undefined
    })
    assert.deepEqual([broken.error.number, broken.error.fix], [1062, 'skip'])
    assert.match(broken.error.statements.join(), /lost/)
    const { data: plan } = await onReplica.ask('POST', '/api/settings/sqldb/replication/skip-error?plan=1')
    assert.match(JSON.stringify(plan), /lost/)
    const skipped = await onReplica.must('POST', '/api/settings/sqldb/replication/skip-error')
    assert.match(skipped.statements.join(), /lost/)
    await poll('the later change', limitMs, async () =>
      (await sql(second, `select count(*) from shop.items where id = ${next + 1}`)) === '1'
        ? true
        : undefined,
    )
    assert.equal((await state()).replica.state, 'running')
  })

  it('passes over errors only while it is told to', async () => {
    await onReplica.must('POST', '/api/settings/sqldb/slave-skip-errors', { slave_skip_errors: [1062, 1032] })
    assert.equal(await sql(second, 'select @@slave_skip_errors'), '1032,1062')
    assert.equal((await state()).slave_skip_errors, '1032,1062')
    await onReplica.must('POST', '/api/settings/sqldb/slave-skip-errors', { slave_skip_errors: [] })
    assert.equal(await sql(second, 'select @@slave_skip_errors'), 'OFF')
  })

  it('follows nobody after a synchronisation that broke off, and has everything after the next one', async () => {
    // 50 MB that gzip does not shrink: more than the buffers on the way hold while the load waits
    const random = Array(40).fill('to_base64(random_bytes(1024))').join(',')
    await sql(
      first,
      `create table shop.large (id int primary key, text longtext);
       insert into shop.large select seq, concat(${random}) from mysql.seq_1_to_1000`,
    )
    await caughtUp()
    const { job_id, release } = await waitingSync()
    await second.cutNetwork()
    await release()
    const failed = await ended(job_id)
    assert.equal(failed.state, 'failed', JSON.stringify(failed))
    assert.equal((await state()).replica.state, 'unsynchronised')
    assert.equal((await onReplica.ask('POST', `${base}/start`)).code, 'conflict')
    await second.restoreNetwork()
    await assertSynchronises()
  })

  const killServer = async (host: Host) => {
    await host.must(['systemctl', 'kill', '--signal=KILL', 'mariadb'])
    await poll('the server to answer again', limitMs, async () => {
      if ((await host.exec(['mariadb', '-e', 'select 1'])).code === 0) return true
      await host.exec(['systemctl', 'start', 'mariadb'], { timeoutMs: limitMs })
      return undefined
    })
  }
  const restart = async (killed: Panel) => {
    await killed.kill9()
    await killed.start()
  }
  const kills = {
    'the panel of the replica': () => restart(replicaPanel),
    'the panel of the primary': () => restart(panel),
    'the server of the replica': () => killServer(second),
    'the server of the primary': () => killServer(first),
  }
  for (const [title, kill] of Object.entries(isLong ? kills : {}))
    it(`follows nobody when ${title} is killed during a synchronisation, and has everything after the next`, async () => {
      const { job_id, release } = await waitingSync()
      await kill()
      admin = await SignedIn.as(panel)
      onReplica = await SignedIn.as(replicaPanel)
      await release()
      const { state: outcome } = await ended(job_id)
      const { state: now } = (await state()).replica
      assert.ok(outcome === 'succeeded' || now === 'unsynchronised', `${outcome}, ${now}`)
      await assertSynchronises()
    })

  it('keeps replicating when both panels are killed, and both hosts boot', async () => {
    await panel.kill9()
    await replicaPanel.kill9()
    await second.reboot()
    await second.must(['systemctl', 'start', 'mariadb'], { timeoutMs: limitMs })
    await sql(first, "insert into shop.items (name) values ('without a panel')")
    await assertEqual()
    await panel.start()
    await replicaPanel.start()
    await poll('the heartbeat to go on', limitMs, async () => {
      const age =
        'select cast(unix_timestamp() as signed) * 1000 - cast(at_ms as signed) from `hostreeve:replication`.heartbeat'
      return Number(await sql(second, age)) < 10_000 || undefined
    })
    onReplica = await SignedIn.as(replicaPanel)
    admin = await SignedIn.as(panel)
    assert.equal((await state()).role, 'replica')
  })

  it('gives a replica by hand an account that may read the changes over TLS alone, until it is removed', async () => {
    const added = await admin.must('POST', `${base}/slaves`, { name: 'by hand' })
    assert.match(added.certificate, /BEGIN CERTIFICATE/)
    const grants = (...options: readonly string[]) =>
      second.exec(
        ['mariadb', '--host=10.78.0.11', `--user=${added.username}`, ...options, '-Ne', 'show grants'],
        { env: { MYSQL_PWD: added.password }, timeoutMs: limitMs },
      )
    const { stdout, stderr } = await grants('--ssl')
    assert.match(stdout, /^GRANT REPLICATION SLAVE ON \*\.\* [^\n]* REQUIRE SSL\n$/, stderr)
    assert.match((await grants('--skip-ssl')).stderr, /Access denied/)
    await admin.must('DELETE', `${base}/slaves/${added.id}`)
    assert.match((await grants('--ssl')).stderr, /denied|not allowed/i)
  })

  it('cuts off a replica that is removed, which can then take over', async () => {
    const [{ id }] = await admin.must('GET', `${base}/slaves`)
    await admin.must('DELETE', `${base}/slaves/${id}`)
    await onReplica.must('POST', '/api/settings/sqldb/replication/restart')
    // the number depends on which accounts the primary has: 1045, 1130 or 1698
    const refused = await poll('the replica to be refused', limitMs, async () => {
      const { replica } = await state()
      return replica.state !== 'running' && replica.error !== null ? replica.error : undefined
    })
    assert.match(refused.message, /denied|not allowed/i)
    const removed = await onReplica.ask('DELETE', base)
    assert.equal(removed.status, 200)
    assert.deepEqual([(await state()).role, await sql(second, 'select @@read_only')], ['none', '0'])
    assert.equal(await sql(second, 'show slave status'), '')
    assert.equal((await admin.ask('DELETE', base)).status, 200)
    const { status } = await panel.request('POST', `${base}/databases`, {
      body: {},
      headers: { 'x-panel-sync-key': syncKey },
    })
    assert.equal(status, 401)
  })
})
