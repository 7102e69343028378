import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { addWebsite } from '../../../test/support/websites.ts'
import { sql } from '../../host/apply/steps.ts'
import { connect } from '../../host/connect/index.ts'
import { asOwner, skip } from '../../host/owner/testing/homes.ts'
import { scriptPackages } from '../../host/testing/scripted-host.ts'
import { type ScratchMariadb, startMariadb } from '../../host/testing/scratch-mariadb.ts'

const uids = { ada: 61_041, bob: 61_042 }

describe('backups of websites', { skip }, () => {
  let server: ScratchMariadb
  let panel: TestPanel
  let folder: string
  let ada: Person
  let bob: Person
  let site: number
  const installed = new Map<string, string>()

  before(async () => {
    server = await startMariadb({ hasBinaryLog: true })
    folder = mkdtempSync('/tmp/hostreeve-backups-')
    chmodSync(folder, 0o755)
    for (const [name, uid] of Object.entries(uids)) {
      mkdirSync(`${folder}/${name}`)
      chownSync(`${folder}/${name}`, uid, uid)
    }
    panel = await openTestPanel({
      accounts: new Map(
        Object.entries(uids).map(([name, uid]) => [name, { uid, home: `${folder}/${name}` }]),
      ),
      scripts: [scriptPackages(installed)],
      hasNginx: true,
      programs: ['mariadb', 'mariadb-dump', 'gpg', 'gpgconf', 'ln'],
      mariadb: {
        connection: connect.sql(server.target),
        socketPath: 'socketPath' in server.target.at ? server.target.at.socketPath : '',
      },
    })
    mkdirSync(`${panel.root}/root`)
    installed.set('mariadb-server', '1:10.11.14-0+deb12u2')
    const person = (username: string) => panel.person({ username, permissions: ['websites_management'] })
    ada = await person('ada')
    bob = await person('bob')
    await panel.start()
  })
  after(async () => {
    await panel.close()
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  let made = 0
  let domain: string
  beforeEach(async () => {
    made += 1
    domain = `shop${made}.test`
    site = await addWebsite(panel, { domain, userId: ada.id, username: 'ada' })
    sh(`mkdir -p sites/${domain}/public/empty; echo one > sites/${domain}/public/index.html`)
  })

  const account = () => ({ name: 'ada', uid: uids.ada, gid: uids.ada, home: `${folder}/ada` })
  const sh = (script: string) => asOwner(account(), 'sh', '-c', script)
  const root = (statement: Parameters<ReturnType<typeof connect.sql>['run']>[0]) =>
    connect.sql(server.target).run(statement)
  const ask = (method: string, path: string, body?: unknown, as = ada) =>
    panel.request(method, `/api${path}`, { as, ...(body !== undefined && { body }) })
  const backUp = async (set = 'default') => {
    const { status, text } = await ask('POST', `/websites/${site}/backups`, { set })
    assert.equal(status, 200, text)
    const last = [...text.matchAll(/^data: (.*)$/gm)].map(([, line = '']) => JSON.parse(line)).at(-1)
    assert.equal(last.type, 'done', text)
    return last
  }
  const list = async () => (await ask('GET', `/websites/${site}/backups`)).data.items
  const jobEnd = async (id: number) => {
    let job: any
    await until(async () => {
      job = (await ask('GET', `/jobs/${id}`, undefined, panel.admin)).data
      return !['queued', 'running'].includes(job.state)
    })
    return job
  }
  const restore = async (name: string, body: object = {}) => {
    const { status, data, text } = await ask('POST', `/websites/${site}/backups/${name}/restore`, body)
    assert.equal(status, 202, text)
    const job = await jobEnd(data.job_id)
    assert.equal(job.state, 'succeeded', JSON.stringify(job))
  }
  /** Names, types, modes, sizes, times and content of a website. */
  const tree = () =>
    sh(
      `cd sites/${domain}; find . -printf '%P %y %m %s %T@ %l\\n' | sort; find . -type f -print0 | sort -z | xargs -0 sha256sum; getfacl -R . 2>/dev/null; getfattr -Rd . 2>/dev/null || true`,
    )
  const depot = () => `${panel.root}/var/lib/hostreeve/backups/websites/ada/${domain}`
  const database = async () => {
    const body = { name: `db${made}`, username: `u${made}`, password: 'a password' }
    const { status, text } = await ask('POST', `/websites/${site}/databases`, body)
    assert.equal(status, 201, text)
    return `ada_db${made}`
  }

  test('has no backups to restore at first', async () => {
    const { status, error } = await ask('POST', '/settings/backup/webapp-restore-all', {}, panel.admin)
    assert.deepEqual([status, error.code], [200, 'no_backups'])
    const { json } = await ask('GET', '/settings/backup/webapp-restore-progress', undefined, panel.admin)
    assert.deepEqual([json.running, json.total, json.started_at], [false, 0, null])
  })

  test('restores each point of a chain byte for byte, with links, sparse files and unusual names', async () => {
    sh(
      `cd sites/${domain}/public; ln -s index.html link; ln index.html hard; truncate -s 5M sparse; printf 'x' > "$(printf 'a b\\n\\303\\274')"; chmod 640 hard; chmod 750 empty; touch -d 2020-01-02T03:04:05.678 sparse`,
    )
    const states: string[] = []
    const names: string[] = []
    const point = async () => {
      states.push(tree())
      names.push((await backUp()).name)
    }
    await point()
    sh(
      `cd sites/${domain}/public; echo two > index.html; rm sparse; rmdir empty; mkdir -p deep/er; echo x > deep/er/file`,
    )
    await point()
    sh(`cd sites/${domain}/public; mv deep moved; echo three > new; ln -sf new link`)
    await point()
    const listed = await list()
    assert.deepEqual(
      listed.map(({ is_full, complete, encrypted, source }: any) => [is_full, complete, encrypted, source]),
      [
        [false, true, false, 'local'],
        [false, true, false, 'local'],
        [true, true, false, 'local'],
      ],
    )
    sh(`rm -rf sites/${domain}/public/*; echo later > sites/${domain}/public/later`)
    for (const [at, name] of names.entries()) {
      await restore(name)
      assert.equal(tree(), states[at], name)
    }
    await until(() => !/^\./m.test(sh('ls -A sites')))
    assert.ok((await list()).some(({ set }: any) => set === 'before-restore'))
  })

  test('restores folders that took the place of others between two points', async () => {
    sh(
      `cd sites/${domain}/public; mkdir live staged first second; echo old > live/page; echo new > staged/page; echo only > staged/more; echo 1 > first/one; echo 2 > second/two`,
    )
    const before = { tree: tree(), name: (await backUp()).name }
    sh(
      `cd sites/${domain}/public; rm -r live; mv staged live; mv first third; mv second first; mv third second; mkdir staged; echo next > staged/page`,
    )
    const after = { tree: tree(), name: (await backUp()).name }
    sh(`cd sites/${domain}/public; mkdir deep; mv live deep/live; mv deep/live/more deep/`)
    const last = { tree: tree(), name: (await backUp()).name }
    assert.deepEqual(
      (await list()).map(({ is_full }: any) => is_full),
      [false, false, true],
    )
    sh(`rm -r sites/${domain}/public`)
    for (const point of [last, before, after]) {
      await restore(point.name)
      assert.equal(tree(), point.tree, point.name)
    }
  })

  test('restores databases and leaves nothing else in them; files or databases alone', async () => {
    const name = await database()
    const table = (rest: string) => ({ parts: [rest.replace('@', name)], values: [] }) as const
    await root(table('create table @.kept (a int)'))
    await root(table('insert into @.kept values (1)'))
    const point = await backUp()
    assert.deepEqual((await list())[0].databases, [name])
    await root(table('create table @.later (a int)'))
    await root(table('update @.kept set a = 2'))
    sh(`echo two > sites/${domain}/public/index.html`)
    await restore(point.name, { restore_database: true })
    const tables = await root(
      sql`select table_name as t from information_schema.tables where table_schema = ${name}`,
    )
    assert.deepEqual(
      tables.map(({ t }) => t),
      ['kept'],
    )
    assert.deepEqual(
      (await root(table('select a from @.kept'))).map(({ a }) => a),
      [1],
    )
    assert.equal(readFileSync(`${folder}/ada/sites/${domain}/public/index.html`, 'utf8'), 'two\n')
    await root(table('update @.kept set a = 3'))
    await restore(point.name, { restore_files: true })
    assert.equal(readFileSync(`${folder}/ada/sites/${domain}/public/index.html`, 'utf8'), 'one\n')
    assert.deepEqual(
      (await root(table('select a from @.kept'))).map(({ a }) => a),
      [3],
    )
  })

  test('makes a database again that the server has lost, with its users and their passwords', async () => {
    const name = await database()
    await root({ parts: [`create table ${name}.kept (a int)`], values: [] })
    const point = await backUp()
    await root({ parts: [`drop database ${name}`], values: [] })
    await root({ parts: [`drop user ada_u${made}@localhost`], values: [] })
    await restore(point.name)
    const own = connect.sql({ ...server.target, user: `ada_u${made}`, password: () => 'a password' })
    assert.deepEqual(await own.run({ parts: [`select a from ${name}.kept`], values: [] }), [])
  })

  test('refuses a changed byte, and leaves the website as it was', async () => {
    const { name } = await backUp()
    const file = `${depot()}/${name}/${name}.tar.gz`
    const bytes = readFileSync(file)
    bytes[bytes.length - 20]! ^= 1
    writeFileSync(file, bytes)
    sh(`echo now > sites/${domain}/public/index.html`)
    const former = tree()
    const { data } = await ask('POST', `/websites/${site}/backups/${name}/restore`, {})
    const job = await jobEnd(data.job_id)
    assert.equal(job.state, 'failed')
    assert.match(JSON.stringify(job), /SHA-256 differs/)
    assert.equal(tree(), former)
  })

  test('lists what the owner cannot read, and marks the backup incomplete', async () => {
    execFileSync('sh', ['-c', `echo x > "$0"; chmod 600 "$0"`, `${folder}/ada/sites/${domain}/public/roots`])
    const { complete } = await backUp()
    const [shown] = await list()
    assert.deepEqual(
      [complete, shown.complete, shown.omitted, shown.omitted_count],
      [false, false, ['public/roots'], 1],
    )
  })

  test('keeps as many backups as the set says, and what they need', async () => {
    const { status } = await ask('POST', `/websites/${site}/backups/sets`, {
      name: 'nightly',
      databases: false,
      schedule: '0 3 * * *',
      keep: 1,
    })
    assert.equal(status, 200)
    const first = await backUp('nightly')
    const second = await backUp('nightly')
    assert.deepEqual(
      (await list()).map(({ name }: any) => name),
      [second.name, first.name],
    )
    const refused = await ask('DELETE', `/websites/${site}/backups/${first.name}`)
    assert.deepEqual([refused.status, refused.error.code], [409, 'conflict'])
    assert.equal((await ask('DELETE', `/websites/${site}/backups/${second.name}`)).status, 200)
    assert.equal((await ask('DELETE', `/websites/${site}/backups/${first.name}`)).status, 200)
    assert.equal(existsSync(depot()), false)
    const { sets } = (await ask('GET', `/websites/${site}/backups/sets`)).data
    assert.deepEqual(
      sets.map(({ name, keep }: any) => [name, keep]),
      [
        ['default', 7],
        ['nightly', 1],
      ],
    )
    const { status: deleted } = await ask('DELETE', `/websites/${site}/backups/sets/nightly`)
    assert.equal(deleted, 200)
    assert.equal((await ask('DELETE', `/websites/${site}/backups/sets/nightly`)).status, 404)
    assert.equal((await ask('POST', `/websites/${site}/backups`, { set: 'nightly' })).status, 404)
  })

  test('refuses bodies that do not bind, and takes none of them for an empty one', async () => {
    const { name } = await backUp()
    const restored = `/websites/${site}/backups/${name}/restore`
    for (const [path, body, field] of [
      [`/websites/${site}/backups`, { set: '../x' }, 'set'],
      [`/websites/${site}/backups`, { set: '' }, 'set'],
      [restored, { for_inspection: 1 }, 'for_inspection'],
      [restored, { restore_files: 'yes' }, 'restore_files'],
      [restored, { source: 'ftp' }, 'source'],
      [restored, { passphrase: 'x'.repeat(1025) }, 'passphrase'],
      ['/settings/backup/webapp-restore-all', { source: 'ftp' }, 'source'],
    ] as const) {
      const { status, error } = await ask('POST', path, body, panel.admin)
      assert.deepEqual([status, error?.code, error?.message.split(':')[0]], [400, 'bad_request', field])
    }
    assert.deepEqual(
      (await list()).map((each: any) => each.name),
      [name],
    )
  })

  test('restores a website once at a time', async () => {
    const { name } = await backUp()
    const path = `/websites/${site}/backups/${name}/restore`
    const both = await Promise.all([ask('POST', path, {}), ask('POST', path, { restore_files: true })])
    const begun = both.find(({ status }) => status === 202)
    const refused = both.find(({ status }) => status === 409)
    assert.equal(refused?.error.code, 'already_running', both.map(({ text }) => text).join())
    assert.equal((await jobEnd(begun?.data.job_id)).state, 'succeeded')
  })

  test('restores no website of another owner from a backup of a former one', async () => {
    const { name } = await backUp()
    const of = (username: string) => `${panel.root}/var/lib/hostreeve/backups/websites/${username}/${domain}`
    mkdirSync(of('bob'), { recursive: true })
    cpSync(depot(), of('bob'), { recursive: true })
    const file = `${of('bob')}/${name}/manifest.json`
    const manifest = JSON.parse(readFileSync(file, 'utf8'))
    writeFileSync(file, JSON.stringify({ ...manifest, username: 'bob' }))
    sh(`echo ours > sites/${domain}/public/index.html`)
    const asked = { username: 'bob', domain }
    const { status, error } = await ask('POST', '/settings/backup/webapp-restore', asked, panel.admin)
    assert.deepEqual([status, error.code, /belongs to ada/.test(error.message)], [400, 'bad_request', true])
    assert.equal(readFileSync(`${folder}/ada/sites/${domain}/public/index.html`, 'utf8'), 'ours\n')
    rmSync(of('bob'), { recursive: true })
  })

  test('restores into a new folder for inspection, and leaves the website as it is', async () => {
    const name = await database()
    await root({ parts: [`create table ${name}.kept (a int)`], values: [] })
    const point = await backUp()
    sh(`echo now > sites/${domain}/public/index.html`)
    await root({ parts: [`create table ${name}.later (a int)`], values: [] })
    const former = tree()
    await restore(point.name, { for_inspection: true })
    const placed = `restores/${domain}-${point.name}`
    assert.equal(sh(`cat ${placed}/site/public/index.html`), 'one\n')
    assert.match(sh(`gzip -dc ${placed}/database-0.sql.gz`), /CREATE TABLE `kept`/)
    assert.equal(sh('stat -c %a restores').trim(), '700')
    assert.equal(tree(), former)
    assert.deepEqual(await root({ parts: [`select a from ${name}.later`], values: [] }), [])
    assert.deepEqual(
      (await list()).map(({ set }: any) => set),
      ['default'],
      'nothing needs a safety backup',
    )
    const again = await ask('POST', `/websites/${site}/backups/${point.name}/restore`, {
      for_inspection: true,
    })
    assert.deepEqual([again.status, again.error.code], [409, 'conflict'])
    assert.ok(!/^\.hostreeve/m.test(sh('ls -A sites')))
  })

  test('keeps no backup beyond the age that the set says, but the newest', async () => {
    const set = { name: 'aged', files: false, keep: 9, keep_days: 2 }
    assert.equal((await ask('POST', `/websites/${site}/backups/sets`, set)).status, 200)
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
    const makeOlder = (name: string, days: number) => {
      const file = `${depot()}/${name}/manifest.json`
      const manifest = JSON.parse(readFileSync(file, 'utf8'))
      writeFileSync(file, JSON.stringify({ ...manifest, time_mark: daysAgo(days) }))
    }
    const old = await backUp('aged')
    makeOlder(old.name, 3)
    const young = await backUp('aged')
    const names = async () => (await list()).map(({ name }: any) => name)
    assert.deepEqual(await names(), [young.name])
    makeOlder(young.name, 1)
    const newest = await backUp('aged')
    assert.deepEqual(await names(), [newest.name, young.name])
  })

  test('refuses sets that are not valid, unknown backups and other tenants', async () => {
    for (const draft of [
      { name: 'x', schedule: '* * * * * *' },
      { name: 'x', schedule: 'daily' },
      { name: 'x', files: false, databases: false },
      { name: 'before-restore' },
      { name: '../x' },
      { name: 'x', keep: 0 },
      { name: 'x', keep: 1001 },
      { name: 'x', keep_days: -1 },
      { name: 'x', keep_days: 3651 },
    ])
      assert.equal(
        (await ask('POST', `/websites/${site}/backups/sets`, draft)).status,
        400,
        JSON.stringify(draft),
      )
    for (const [method, path] of [
      ['POST', 'nope/restore'],
      ['DELETE', 'nope'],
    ])
      assert.equal(
        (await ask(method!, `/websites/${site}/backups/${path}`, method === 'POST' ? {} : undefined)).status,
        404,
      )
    const { name } = await backUp()
    for (const [method, path] of [
      ['GET', ''],
      ['POST', ''],
      ['DELETE', `/${name}`],
      ['POST', `/${name}/restore`],
      ['GET', '/sets'],
    ])
      assert.equal(
        (await ask(method!, `/websites/${site}/backups${path}`, method === 'POST' ? {} : undefined, bob))
          .status,
        404,
      )
    for (const path of ['webapp-scan', 'webapp-restore-progress'])
      assert.equal((await ask('GET', `/settings/backup/${path}`)).status, 403)
  })

  test('restores by set and time for a superuser, and scans what there is', async () => {
    const { name } = await backUp()
    const [{ time_mark }] = await list()
    sh(`echo two > sites/${domain}/public/index.html`)
    const admin = (body: object) =>
      ask('POST', '/settings/backup/webapp-restore', { username: 'ada', domain, ...body }, panel.admin)
    for (const [body, code] of [
      [{ set: 'other' }, 'bad_request'],
      [{ time_mark: '2020-01-01T00:00:00Z' }, 'bad_request'],
      [{ domain: '../ada' }, 'bad_request'],
      [{ domain: 'x'.repeat(300) }, 'bad_request'],
      [{ domain: `${domain}\u0000` }, 'bad_request'],
      [{ username: 'bob' }, 'bad_request'],
      [{ username: '../ada' }, 'bad_request'],
      [{ time_mark: 'yesterday' }, 'bad_request'],
      [{ source: 's3' }, 's3_error'],
    ] as const) {
      const { status, error } = await admin(body)
      assert.deepEqual([status, error.code], [400, code], JSON.stringify(body))
    }
    const { status, data } = await admin({ time_mark })
    assert.equal(status, 202)
    assert.equal((await jobEnd(data.job_id)).state, 'succeeded')
    assert.equal(readFileSync(`${folder}/ada/sites/${domain}/public/index.html`, 'utf8'), 'one\n')
    const { json: body } = await ask('GET', '/settings/backup/webapp-scan', undefined, panel.admin)
    const entry = body.backups.find((each: any) => each.domain === domain)
    assert.deepEqual([entry.username, entry.exists_on_server, entry.source], ['ada', true, 'local'])
    assert.equal(entry.sets.find((set: any) => set.name === 'default').latest_date, time_mark)
    assert.ok(readdirSync(`${depot()}/${name}`).includes('manifest.json'))
  })

  test('encrypts with the key of the server, and opens nothing without its passphrase', async () => {
    const plain = await backUp()
    const key = await ask('POST', '/settings/backup/generate-key', undefined, panel.admin)
    const passphrase: string = key.data.passphrase
    const { name } = await backUp()
    const [shown] = await list()
    assert.deepEqual([shown.encrypted, shown.is_full], [true, true], 'a chain has one passphrase')
    const files = readdirSync(`${depot()}/${name}`)
    assert.ok(files.includes(`${name}.tar.gz.gpg`) && files.includes('site.json.gpg'))
    assert.equal(readFileSync(`${depot()}/${name}/site.json.gpg`).includes('static'), false)
    sh(`echo two > sites/${domain}/public/index.html`)
    const former = tree()
    for (const [body, code] of [
      [{}, 'passphrase_required'],
      [{ passphrase: 'wrong' }, 'bad_request'],
    ] as const) {
      const { status, error } = await ask('POST', `/websites/${site}/backups/${name}/restore`, body)
      assert.deepEqual([status, error.code], [400, code])
    }
    assert.equal(tree(), former)
    await restore(name, { passphrase })
    assert.equal(readFileSync(`${folder}/ada/sites/${domain}/public/index.html`, 'utf8'), 'one\n')
    await ask('POST', '/settings/backup/disable-encryption', undefined, panel.admin)
    await restore(plain.name)
  })

  test('makes a website again that was deleted, with its settings, certificate, crontab and database', async () => {
    const issued = await ask('POST', `/websites/${site}/ssl`, { method: 'self_signed' })
    assert.equal((await jobEnd(issued.data.job_id)).state, 'succeeded')
    assert.equal((await ask('PATCH', `/websites/${site}`, { https_redirect: true })).status, 200)
    const certificate = await ask('GET', `/websites/${site}/ssl`)
    const name = await database()
    const { username } = { username: `ada_u${made}` }
    await root({ parts: [`create table ${name}.kept (a int)`], values: [] })
    await backUp()
    const former = tree()
    const asked = await panel.request('DELETE', `/api/websites/${site}?databases=remove`, { as: panel.admin })
    assert.equal(asked.status, 200, asked.text)
    sh(`rm -rf sites/${domain}; mkdir -p logs`)
    const { data, status, text } = await ask(
      'POST',
      '/settings/backup/webapp-restore',
      { username: 'ada', domain },
      panel.admin,
    )
    assert.equal(status, 202, text)
    const job = await jobEnd(data.job_id)
    assert.equal(job.state, 'succeeded', JSON.stringify(job))
    const { items } = (await ask('GET', '/websites')).data
    const again = items.find((each: any) => each.domain === domain)
    assert.deepEqual([again.type, again.https_redirect], ['static', true])
    const served = (await ask('GET', `/websites/${again.id}/ssl`)).data
    assert.deepEqual([served.state, served.not_after], ['valid', certificate.data.not_after])
    assert.equal(tree(), former)
    const own = connect.sql({ ...server.target, user: username, password: () => 'a password' })
    assert.deepEqual(await own.run({ parts: [`select a from ${name}.kept`], values: [] }), [])
  })

  test('restores all websites, one bulk at a time', async () => {
    await backUp()
    sh(`echo two > sites/${domain}/public/index.html`)
    const all = () => ask('POST', '/settings/backup/webapp-restore-all', {}, panel.admin)
    assert.equal((await all()).status, 202)
    const again = await all()
    assert.deepEqual([again.status, again.error.code], [409, 'already_running'])
    const progress = async () =>
      (await ask('GET', '/settings/backup/webapp-restore-progress', undefined, panel.admin)).json
    await until(async () => !(await progress()).running)
    const { items } = await progress()
    const own = items.find((each: any) => each.domain === domain)
    assert.equal(own.state, 'succeeded', JSON.stringify(items))
    assert.equal(readFileSync(`${folder}/ada/sites/${domain}/public/index.html`, 'utf8'), 'one\n')
  })
})
