import assert from 'node:assert/strict'
import { createHash, verify } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openTestPanel, type Person, type TestPanel } from '../../../../test/support/panel.ts'
import { until } from '../../../../test/support/until.ts'
import { addWebsite } from '../../../../test/support/websites.ts'
import { sql } from '../../../host/apply/steps.ts'
import { connect } from '../../../host/connect/index.ts'
import { openFiles } from '../../../host/files.ts'
import { asOwner, skip } from '../../../host/owner/testing/homes.ts'
import { scriptPackages } from '../../../host/testing/scripted-host.ts'
import { type ScratchMariadb, startMariadb } from '../../../host/testing/scratch-mariadb.ts'
import { updateRow } from '../../../store/rows.ts'
import { type StandInBucket, standInBucket } from '../../../tools/s3/testing/server.ts'
import { Depot } from '../depot.ts'
import { backupQueries } from '../store.ts'
import { readOldProofs } from './notices.ts'

const uids = { ada: 61_046, bob: 61_047 }
const dayMs = 86_400_000

describe('drills of backups', { skip }, () => {
  let server: ScratchMariadb
  let bucket: StandInBucket
  let panel: TestPanel
  let folder: string
  let [ada, bob] = [{} as Person, {} as Person]
  let site: number
  let domain: string
  let made = 0

  before(async () => {
    server = await startMariadb({ hasBinaryLog: true })
    bucket = await standInBucket()
    folder = mkdtempSync('/tmp/hostreeve-drills-')
    chmodSync(folder, 0o755)
    for (const [name, uid] of Object.entries(uids)) {
      mkdirSync(`${folder}/${name}`)
      chownSync(`${folder}/${name}`, uid, uid)
    }
    panel = await openTestPanel({
      accounts: new Map(
        Object.entries(uids).map(([name, uid]) => [name, { uid, home: `${folder}/${name}` }]),
      ),
      scripts: [scriptPackages(new Map([['mariadb-server', '1:10.11.14-0+deb12u2']]))],
      hasNginx: true,
      programs: ['mariadb', 'mariadb-dump', 'gpg', 'gpgconf', 'ln'],
      mariadb: {
        connection: connect.sql(server.target),
        socketPath: 'socketPath' in server.target.at ? server.target.at.socketPath : '',
      },
    })
    mkdirSync(`${panel.root}/root`)
    ada = await panel.person({ username: 'ada', permissions: ['websites_management'] })
    bob = await panel.person({ username: 'bob', permissions: ['websites_management'] })
    await panel.start()
  })
  after(async () => {
    await panel.close()
    await bucket.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  beforeEach(async () => {
    made += 1
    domain = `drilled${made}.test`
    site = await addWebsite(panel, { domain, userId: ada.id, username: 'ada' })
    sh(`mkdir -p sites/${domain}/public; echo one > sites/${domain}/public/index.html; mkdir -p db`)
  })

  const sh = (script: string) =>
    asOwner({ name: 'ada', uid: uids.ada, gid: uids.ada, home: `${folder}/ada` }, 'sh', '-c', script)
  const root = (statement: Parameters<ReturnType<typeof connect.sql>['run']>[0]) =>
    connect.sql(server.target).run(statement)
  const ask = (method: string, path: string, body?: unknown, as = ada) =>
    panel.request(method, `/api${path}`, { as, ...(body !== undefined && { body }) })
  const jobEnd = async (id: number) => {
    let job: any
    await until(async () => {
      job = (await ask('GET', `/jobs/${id}`, undefined, panel.admin)).data
      return !['queued', 'running'].includes(job.state)
    })
    return job
  }
  const backUp = async (): Promise<string> => {
    const { text } = await ask('POST', `/websites/${site}/backups`, { set: 'default' })
    return /"type":"done","name":"([^"]+)"/.exec(text)?.[1] ?? assert.fail(text)
  }
  const drill = async (body: object = {}) => {
    const { status, data, text } = await ask('POST', `/websites/${site}/backups/drill`, body)
    assert.equal(status, 202, text)
    const job = await jobEnd(data.job_id)
    assert.equal(job.state, 'succeeded', JSON.stringify(job))
    await assertNothingLeft()
    return (await ask('GET', `/websites/${site}/backups/drills`)).data.items[0]
  }
  const assertNothingLeft = async () => {
    assert.doesNotMatch(sh('ls -A sites db'), /hostreeve|import/)
    assert.deepEqual(await panelFolders(), [])
    const databases = await root(
      sql`select schema_name from information_schema.schemata where schema_name like 'hostreeve%'`,
    )
    assert.deepEqual(databases, [])
    assert.deepEqual(await root(sql`select User from mysql.user where User like 'hostreeve%'`), [])
  }
  const panelFolders = () => openFiles(panel.root).list('/var/lib/hostreeve/backups/drills')
  const reportOf = async (id: number) =>
    (await ask('GET', `/websites/${site}/backups/drills/${id}/report`)).data
  const depot = () => `${panel.root}/var/lib/hostreeve/backups/websites/ada/${domain}`
  const database = async () => {
    const body = { name: `db${made}`, username: `u${made}`, password: 'a password' }
    const { status, text } = await ask('POST', `/websites/${site}/databases`, body)
    assert.equal(status, 201, text)
    return `ada_db${made}`
  }
  const table = (text: string, name: string) => root({ parts: [text.replaceAll('@', name)], values: [] })
  const stateOf = async (as = ada) => {
    const { items } = (await ask('GET', `/backups/drills?search=${domain}`, undefined, as)).data
    return items[0]
  }

  const activeDrills = async () => {
    const jobs = panel.store.db.selectFrom('jobs').select('id').where('kind', 'like', 'sitebackups.drill%')
    return (await jobs.where('state', 'in', ['queued', 'running']).execute()).length
  }

  test('has neither key nor drill at first, and refuses a website without a backup', async () => {
    const key = await ask('GET', '/backups/drills/key')
    assert.deepEqual([key.status, key.error.code], [404, 'not_found'])
    const refused = await ask('POST', `/websites/${site}/backups/drill`, {})
    assert.deepEqual([refused.status, refused.error.code], [404, 'not_found'])
    const { last, proven_at, is_overdue } = await stateOf()
    assert.deepEqual([last, proven_at, is_overdue], [null, null, false])
  })

  test('proves a chain of files and a database, and signs the report', async () => {
    const name = await database()
    await table('create table @.orders (a int)', name)
    await table('insert into @.orders values (1), (2)', name)
    await table('create view @.seen as select a from @.orders', name)
    await backUp()
    sh(`cd sites/${domain}/public; echo two > more; rm index.html`)
    const backup = await backUp()
    const found = await drill()
    assert.deepEqual([found.backup, found.source, found.passed, found.message], [backup, 'local', true, ''])
    const { report, signature, public_key } = await reportOf(found.id)
    assert.equal(public_key, (await ask('GET', '/backups/drills/key')).data.public_key)
    assert.ok(verify(null, Buffer.from(report), public_key, Buffer.from(signature, 'base64')))
    assert.ok(!verify(null, Buffer.from(`${report} `), public_key, Buffer.from(signature, 'base64')))
    const { checks, domain: about } = JSON.parse(report)
    assert.equal(about, domain)
    assert.deepEqual(
      checks.map(({ subject }: any) => subject),
      [
        'Size and SHA-256 of the files of the backup',
        'Files and folders',
        'Bytes of files',
        `Tables of ${name}`,
      ],
    )
    assert.match(checks[3].found, /^2 tables$/)
    const { proven_at, age_days, is_overdue } = await stateOf()
    assert.deepEqual([proven_at, age_days, is_overdue], [found.ended_at, 0, false])
  })

  test('finds a flipped byte, a missing file and a database with a lost table or rows', async () => {
    const name = await database()
    await table('create table @.orders (a int)', name)
    await table('insert into @.orders values (1), (2)', name)
    await table('create table @.kept (a int)', name)
    let backup = ''
    let tables: any[] = []
    await until(async () => {
      backup = await backUp() // rows are counted once the last write is two seconds old
      const manifest = JSON.parse(readFileSync(`${depot()}/${backup}/manifest.json`, 'utf8'))
      tables = manifest.parts.find(({ kind }: any) => kind === 'database').tables
      return tables.every(({ rows }) => rows !== null)
    })
    assert.deepEqual(tables, [
      { name: 'kept', rows: 0 },
      { name: 'orders', rows: 2 },
    ])
    changeDump(backup, (text) => text.replace(/DROP TABLE IF EXISTS `kept`.*?UNLOCK TABLES;/s, ''))
    assert.match((await drill()).message, /missing: kept/)
    changeDump(backup, (text) => text.replace(/\(2\)/, '(2),(3)'))
    assert.match((await drill()).message, /missing: kept; orders with 3 rows instead of 2/)
    const archive = `${depot()}/${backup}/${backup}.tar.gz`
    const bytes = readFileSync(archive)
    bytes[bytes.length - 20]! ^= 1
    writeFileSync(archive, bytes)
    const flipped = await drill()
    assert.deepEqual([flipped.passed, /SHA-256 differs/.test(flipped.message)], [false, true])
    rmSync(archive)
    assert.match((await drill()).message, /cannot be read/)
    assert.equal((await stateOf()).last.passed, false)
  })

  /** Changes a dump as if it had been made so: its manifest has the new digest. */
  const changeDump = (backup: string, change: (text: string) => string) => {
    const manifest = JSON.parse(readFileSync(`${depot()}/${backup}/manifest.json`, 'utf8'))
    const part = manifest.parts.find(({ kind }: any) => kind === 'database')
    const path = `${depot()}/${backup}/${part.file}`
    const former = gunzipSync(readFileSync(path)).toString()
    const text = change(former)
    assert.notEqual(text, former)
    const packed = gzipSync(text)
    writeFileSync(path, packed)
    part.size_bytes = packed.length
    part.sha256 = createHash('sha256').update(packed).digest('hex')
    writeFileSync(`${depot()}/${backup}/manifest.json`, JSON.stringify(manifest))
  }

  test('finds files that the archive lacks although its digest is right', async () => {
    const backup = await backUp()
    const manifest = JSON.parse(readFileSync(`${depot()}/${backup}/manifest.json`, 'utf8'))
    manifest.files = { ...manifest.files, entries: manifest.files.entries + 1, changed: 0 }
    writeFileSync(`${depot()}/${backup}/manifest.json`, JSON.stringify(manifest))
    assert.match((await drill()).message, /^Files and folders: expected 3, found 2$/)
  })

  test('proves encrypted copies on S3 with the key of the server, and asks for one that it has not', async () => {
    const s3 = { s3_endpoint: bucket.endpoint, s3_bucket: 'backups', s3_access_key: 'a', s3_secret_key: 'b' }
    await ask('POST', '/settings/backup', { ...s3, remote_enabled: 1 }, panel.admin)
    const key = await ask('POST', '/settings/backup/generate-key', undefined, panel.admin)
    const backup = await backUp()
    const isCopied = (file: string) =>
      [...bucket.objects.keys()].find((each) => each.includes(`${backup}/${file}`))
    await until(async () => isCopied('manifest.json') !== undefined)
    const found = await drill({ source: 's3' })
    assert.deepEqual([found.source, found.passed, found.message], ['s3', true, ''])
    await ask('POST', '/settings/backup/generate-key', undefined, panel.admin)
    const refused = await ask('POST', `/websites/${site}/backups/drill`, {})
    assert.deepEqual([refused.status, refused.error.code], [400, 'passphrase_required'])
    const { passphrase } = key.data
    assert.equal((await drill({ passphrase })).passed, true)
    const archive = isCopied(`${backup}.tar.gz`) ?? assert.fail()
    const { bytes } = bucket.objects.get(archive) ?? assert.fail()
    bytes[bytes.length - 20]! ^= 1
    assert.equal((await drill({ source: 's3', passphrase })).passed, false)
    await ask('POST', '/settings/backup/disable-encryption', undefined, panel.admin)
    await ask('POST', '/settings/backup', { remote_enabled: 0 }, panel.admin)
    const off = await ask('POST', `/websites/${site}/backups/drill`, { source: 's3' })
    assert.deepEqual([off.status, off.error.code], [400, 's3_error'])
  })

  test('are made of all websites by the schedule, and limit the age of a proof', async () => {
    await backUp()
    const save = (body: object, as = panel.admin) => ask('POST', '/backups/drills/settings', body, as)
    for (const schedule of ['* * * * * *', 'weekly'])
      assert.equal((await save({ schedule, max_age_days: 30 })).error.code, 'bad_request')
    assert.equal((await save({ schedule: '', max_age_days: 3651 })).status, 400)
    assert.equal((await save({ schedule: '', max_age_days: 1 }, ada)).status, 403)
    assert.equal((await ask('GET', '/backups/drills/settings')).status, 403)
    const wanted = { schedule: '0 4 * * 0', max_age_days: 2 }
    assert.deepEqual((await save(wanted)).data, wanted)
    const read = await ask('GET', '/backups/drills/settings', undefined, panel.admin)
    assert.deepEqual(read.data, wanted)
    const now = Date.now()
    const on = { depot: new Depot(openFiles(panel.root)), queries: backupQueries(panel.store) }
    const noticed = async (atMs: number) =>
      (await readOldProofs(on, new Date(atMs))).filter(({ group }) => group === domain)
    assert.deepEqual(await noticed(now), [])
    assert.deepEqual(
      (await noticed(now + 3 * dayMs)).map(({ kind, to }) => [kind, to]),
      [['drill_overdue', ada.id]],
    )
    const past = { next_run: '2026-01-01T00:00:00.000Z' }
    await panel.store.transaction((tx) =>
      panel.store.write(tx, [updateRow('schedules', { name: 'sitebackups.drills' }, past)]),
    )
    await until(async () => (await stateOf()).proven_at !== null)
    await until(async () => (await activeDrills()) === 0)
    await assertNothingLeft()
    assert.deepEqual(await noticed(now), [])
    await save({ schedule: '', max_age_days: 0 })
    assert.deepEqual(await noticed(now + 3 * dayMs), [])
  })

  test('are of no other tenant', async () => {
    await backUp()
    const { id } = await drill()
    for (const [method, path] of [
      ['POST', 'drill'],
      ['GET', 'drills'],
      ['GET', `drills/${id}/report`],
    ] as const) {
      const body = method === 'POST' ? {} : undefined
      assert.equal((await ask(method, `/websites/${site}/backups/${path}`, body, bob)).status, 404)
    }
    assert.equal(await stateOf(bob), undefined)
    const unknown = await ask('GET', `/websites/${site}/backups/drills/${id + 1000}/report`)
    assert.deepEqual([unknown.status, unknown.error.code], [404, 'not_found'])
    assert.equal((await ask('POST', `/websites/${site}/backups/drill`, { source: 'tape' })).status, 400)
  })
})
