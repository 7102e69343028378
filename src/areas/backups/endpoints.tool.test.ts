import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { updateRow } from '../../store/rows.ts'
import { type TarEntry, tarGz } from '../../../test/hosts/story/tar.ts'
import { type StandInBucket, standInBucket } from '../../tools/s3/testing/server.ts'

/** The key of a store in memory. */
const key = `${Buffer.alloc(32, 7).toString('base64url')}\n`
const missing = new Set(['ping', 'setpriv', 'gpg', 'gpgconf'])
const passphrase = /^[A-Za-z0-9]{32}$/

describe('backups of the panel', () => {
  let panel: TestPanel
  let bucket: StandInBucket
  let tenant: Person
  before(async () => {
    bucket = await standInBucket()
    panel = await openTestPanel({
      programs: ['tar'],
      scripts: [([program]) => (missing.has(program ?? '') ? { code: 127 } : undefined)],
    })
    tenant = await panel.person({ permissions: ['administrative_operations'] })
    writeFileSync(`${panel.root}/secret.key`, key)
  })
  beforeEach(() => {
    bucket.status = undefined
    bucket.objects.clear()
  })
  after(async () => {
    await panel.close()
    await bucket.close()
  })
  const ask = (method: string, path: string, body?: unknown, as: Person = panel.admin) =>
    panel.request(method, `/api${path}`, { as, ...(body !== undefined && { body }) })
  const post = async (path: string, body?: unknown) => {
    const { status, data, error } = await ask('POST', path, body)
    assert.equal(status, 200, JSON.stringify(error))
    return data
  }
  const refused = async (asked: ReturnType<typeof ask>) => {
    const { status, error } = await asked
    return [status, error.code]
  }
  const s3 = () => ({
    s3_endpoint: bucket.endpoint,
    s3_bucket: 'backups',
    s3_access_key: 'key',
    s3_secret_key: 'a-long-secret-key',
  })
  const folder = () => `${panel.root}/backups/panel`

  test('are for superusers', async () => {
    for (const [method, path] of [
      ['GET', '/settings/backup'],
      ['POST', '/settings/backup'],
      ['POST', '/settings/backup/generate-key'],
      ['POST', '/settings/backup/get-key'],
      ['POST', '/settings/backup/disable-encryption'],
      ['POST', '/settings/backup/test-s3'],
      ['GET', '/system/backup'],
      ['POST', '/system/backup'],
      ['GET', '/system/backup/download/a.db'],
      ['DELETE', '/system/backup/a.db'],
      ['POST', '/system/backup/restore/a.db'],
      ['POST', '/system/backup/pull-s3'],
    ] as const)
      assert.deepEqual(await refused(ask(method, path, undefined, tenant)), [403, 'forbidden'], path)
  })

  test('have a key that is generated, shown and forgotten', async () => {
    assert.deepEqual(await refused(ask('POST', '/settings/backup/get-key')), [404, 'not_found'])
    assert.deepEqual(await refused(ask('POST', '/settings/backup', { local_encrypt: 1 })), [
      400,
      'bad_request',
    ])
    const made = await post('/settings/backup/generate-key')
    assert.match(made.passphrase, passphrase)
    assert.deepEqual(await post('/settings/backup/get-key'), made)
    const { data } = await ask('GET', '/settings/backup')
    assert.deepEqual([data.key_set, data.local_encrypt, data.remote_encrypt], [1, 1, 1])
    const row = await panel.store.db.selectFrom('backup_settings').selectAll().executeTakeFirstOrThrow()
    assert.ok(!JSON.stringify(row).includes(made.passphrase))
    const told = JSON.stringify((await ask('GET', '/activity?per_page=500')).data)
    assert.ok(!told.includes(made.passphrase) && /get-key/.test(told))
    // gpg is missing here
    assert.deepEqual(await refused(ask('POST', '/system/backup')), [500, 'encryption_failed'])
    await post('/settings/backup/disable-encryption')
    const { data: off } = await ask('GET', '/settings/backup')
    assert.deepEqual([off.key_set, off.local_encrypt, off.remote_encrypt], [0, 0, 0])
  })

  test('have settings whose secret is masked and kept', async () => {
    await post('/settings/backup', { ...s3(), remote_enabled: 1, schedule: '30 2 * * *', keep: 3 })
    await post('/settings/backup', { max_bytes_per_second: 1_000_000 })
    const { data } = await ask('GET', '/settings/backup')
    assert.deepEqual(
      [data.s3_bucket, data.s3_secret_key, data.s3_region, data.remote_enabled, data.schedule, data.keep],
      ['backups', 'a-lo••••••••-key', 'us-east-1', 1, '30 2 * * *', 3],
    )
    await post('/settings/backup', {
      s3_secret_key: data.s3_secret_key,
      s3_prefix: 'host1/',
      remote_enabled: 0,
    })
    for (const body of [
      { s3_endpoint: 'https://other.example.com' },
      { schedule: 'soon' },
      { schedule: '* * * * * *' },
      { keep: 0 },
      { max_bytes_per_second: -1 },
      { max_bytes_per_second: 1000 },
      { s3_bucket: 'a;b' },
      { s3_bucket: '..' },
      { s3_prefix: 'web1/../other' },
      { s3_endpoint: 'ftp://a' },
      { remote_enabled: 1, s3_access_key: '' },
    ])
      assert.deepEqual(
        await refused(ask('POST', '/settings/backup', body)),
        [400, 'bad_request'],
        JSON.stringify(body),
      )
    assert.equal((await ask('GET', '/settings/backup')).data.max_bytes_per_second, 1_000_000)
    await post('/settings/backup', {
      ...{ schedule: '', s3_endpoint: '', s3_secret_key: '', max_bytes_per_second: 0 },
    })
  })

  test('can be tried on an S3 server: s3_error', async () => {
    const answer = await post('/settings/backup/test-s3', { ...s3(), s3_prefix: 'a;b' })
    assert.deepEqual([answer.success, answer.ping_ms, answer.ping_host], [true, -1, '127.0.0.1'])
    for (const field of Object.keys(s3()))
      for (const value of ['', ...';|&$`\'"(){}[]!<>\n'])
        assert.deepEqual(
          await refused(ask('POST', '/settings/backup/test-s3', { ...s3(), [field]: value })),
          [400, 'bad_request'],
          `${field} ${value}`,
        )
    for (const name of ['.', '..'])
      assert.deepEqual(
        await refused(ask('POST', '/settings/backup/test-s3', { ...s3(), s3_bucket: name })),
        [400, 'bad_request'],
        name,
      )
    for (const status of [403, 404]) {
      bucket.status = status
      assert.deepEqual(await refused(ask('POST', '/settings/backup/test-s3', s3())), [400, 's3_error'])
    }
    const nowhere = { ...s3(), s3_endpoint: 'http://127.0.0.1:1' }
    assert.deepEqual(await refused(ask('POST', '/settings/backup/test-s3', nowhere)), [400, 's3_error'])
  })

  test('are made, listed, downloaded and deleted', async () => {
    const full = await post('/system/backup')
    const db = await post('/system/backup', { type: 'db' })
    assert.match(full.filename, /^panel-.*Z\.tar\.gz$/)
    assert.match(db.filename, /^panel-.*Z\.db$/)
    const { data } = await ask('GET', '/system/backup')
    assert.deepEqual(
      data.map(({ filename }: { filename: string }) => filename),
      [db.filename, full.filename],
    )
    const { status, headers } = await ask('GET', `/system/backup/download/${db.filename}`)
    assert.equal(status, 200)
    assert.match(String(headers['content-disposition']), /^attachment; /)
    assert.equal(readFileSync(`${folder()}/${db.filename}`).toString('latin1', 0, 15), 'SQLite format 3')
    for (const name of ['..', 'a%2Fb.db', '..%2Fsecret.key'])
      assert.deepEqual(
        await refused(ask('GET', `/system/backup/download/${name}x`)),
        [403, 'forbidden'],
        name,
      )
    assert.deepEqual(await refused(ask('GET', '/system/backup/download/none.db')), [404, 'not_found'])
    for (const { filename } of [full, db])
      assert.equal((await ask('DELETE', `/system/backup/${filename}`)).status, 200)
    assert.deepEqual(await refused(ask('DELETE', `/system/backup/${db.filename}`)), [400, 'delete_failed'])
    assert.deepEqual(readdirSync(folder()), [])
  })

  test('that cannot be packed leave nothing: backup_failed', async () => {
    mkdirSync(`${panel.root}/tls`)
    writeFileSync(`${panel.root}/tls/${'x'.repeat(120)}`, '') // a name that a ustar archive cannot hold
    assert.deepEqual(await refused(ask('POST', '/system/backup')), [500, 'backup_failed'])
    await panel.host.files.removeTree('/tls')
    assert.deepEqual(readdirSync(folder()), [])
  })

  test('are copied to S3 and fetched again: pull_failed', async () => {
    assert.deepEqual(await refused(ask('POST', '/system/backup/pull-s3')), [500, 'pull_failed'])
    await post('/settings/backup', { ...s3(), s3_prefix: 'host1/', remote_enabled: 1 })
    const { filename, remote } = await post('/system/backup')
    assert.equal(remote, true)
    assert.deepEqual([...bucket.objects.keys()], [`host1/panel/${filename}`])
    assert.deepEqual(await post('/system/backup/pull-s3'), { count: 0 })
    const bytes = readFileSync(`${folder()}/${filename}`)
    await ask('DELETE', `/system/backup/${filename}`)
    assert.deepEqual(await post('/system/backup/pull-s3'), { count: 1 })
    assert.deepEqual(readFileSync(`${folder()}/${filename}`), bytes)
    await ask('DELETE', `/system/backup/${filename}`)
    bucket.objects.set(`host1/panel/${filename}`, { bytes: Buffer.from('x'), sha256: '0' })
    assert.deepEqual(await refused(ask('POST', '/system/backup/pull-s3')), [500, 'pull_failed'])
    bucket.status = 403
    assert.deepEqual(await refused(ask('POST', '/system/backup/pull-s3')), [500, 'pull_failed'])
    const kept = await post('/system/backup')
    assert.deepEqual([kept.remote, /403/.test(kept.remote_error)], [false, true])
    await ask('DELETE', `/system/backup/${kept.filename}`)
    await post('/settings/backup', { remote_enabled: 0 })
  })

  test('are made on schedule, of which the newest are kept', async () => {
    await post('/settings/backup', { schedule: '30 2 * * *', keep: 2 })
    await panel.start()
    const autos = async () =>
      readdirSync(folder())
        .filter((name) => name.startsWith('auto-'))
        .toSorted()
    const run = async (count: number) => {
      const past = { next_run: '2026-01-01T00:00:00.000Z' }
      await panel.store.transaction((tx) =>
        panel.store.write(tx, [updateRow('schedules', { name: 'backups.panel' }, past)]),
      )
      await until(async () => (await entries()) === count)
    }
    const entries = async () =>
      (await ask('GET', '/activity?action=backups_panel&per_page=50')).data.items.length
    await run(1)
    const [first = ''] = await autos()
    await run(2)
    await run(3)
    const kept = await autos()
    assert.deepEqual([kept.length, kept.includes(first)], [2, false])
    for (const name of kept) await ask('DELETE', `/system/backup/${name}`)
    await post('/settings/backup', { schedule: '' })
  })

  test('are restored by the next start, with a safety backup', async () => {
    const { filename } = await post('/system/backup')
    const restored = await post(`/system/backup/restore/${filename}`)
    assert.equal(restored.success, true)
    assert.match(restored.pre_restore_file, /^before-restore-/)
    const staged = JSON.parse(readFileSync(`${panel.root}/restore-pending/files.json`, 'utf8'))
    assert.deepEqual(
      staged.map(({ name }: { name: string }) => name),
      ['hostreeve.db', 'secret.key'],
    )
    await panel.host.files.removeTree('/restore-pending')
    for (const name of [filename, restored.pre_restore_file]) await ask('DELETE', `/system/backup/${name}`)
  })

  test('contain no address of a database, and leave that of this panel as it is', async () => {
    const config = `${panel.root}/var/lib/config.toml`
    mkdirSync(`${panel.root}/var/lib`, { recursive: true })
    writeFileSync(config, 'log_level = "warn"\ndatabase_url = "postgres://ada:sesame@localhost/former"\n')
    const { filename } = await post('/system/backup')
    const packed = execFileSync('tar', ['-xzOf', `${folder()}/${filename}`, 'config.toml'], {
      encoding: 'utf8',
    })
    assert.equal(packed, 'log_level = "warn"\n')
    const present = 'database_url = "postgres://ada@localhost/present"\n'
    writeFileSync(config, present)
    const restored = await post(`/system/backup/restore/${filename}`)
    const staged = readFileSync(`${panel.root}/restore-pending/config.toml`, 'utf8')
    assert.equal(staged, `log_level = "warn"\n${present}`)
    await panel.host.files.removeTree('/restore-pending')
    rmSync(config)
    for (const name of [filename, restored.pre_restore_file]) await ask('DELETE', `/system/backup/${name}`)
  })

  test('are refused before anything changes: restore_failed, passphrase_required', async () => {
    const place = (name: string, bytes: string | Buffer) => writeFileSync(`${folder()}/${name}`, bytes)
    assert.deepEqual(await refused(ask('POST', '/system/backup/restore/none.db')), [500, 'restore_failed'])
    place('no.db', 'no database')
    place('no.tar.gz', 'no archive')
    place('no.tar.gz.gpg', 'encrypted')
    for (const name of ['no.db', 'no.tar.gz'])
      assert.deepEqual(
        await refused(ask('POST', `/system/backup/restore/${name}`)),
        [500, 'restore_failed'],
        name,
      )
    assert.deepEqual(await refused(ask('POST', '/system/backup/restore/no.tar.gz.gpg')), [
      400,
      'passphrase_required',
    ])
    const newer = await post('/system/backup', { type: 'db' })
    const { DatabaseSync } = await import('node:sqlite')
    const database = new DatabaseSync(`${folder()}/${newer.filename}`)
    database.exec("insert into schema_migrations values ('299901010000-later', '')")
    database.close()
    assert.deepEqual(await refused(ask('POST', `/system/backup/restore/${newer.filename}`)), [
      500,
      'restore_failed',
    ])
    assert.equal(await panel.host.files.facts('/restore-pending'), undefined)
    for (const name of readdirSync(folder())) await panel.host.files.remove(`/backups/panel/${name}`)
  })

  const manifest = (files: object = {}) => ({
    name: 'manifest.json',
    content: JSON.stringify({
      ...{ format: 1, version: '1.0.0', hostname: 'web1', created_at: '2026-11-29T00:00:00.000Z' },
      ...{ accounts: [], programs: [], files },
    }),
  })
  const database = { name: 'hostreeve.db', content: 'no database' }
  const hostile: Readonly<Record<string, readonly TarEntry[]>> = {
    'a path out of the folder': [{ name: '../evil', content: 'x' }],
    'a path out of a folder in it': [{ name: 'tls/../../evil', content: 'x' }],
    'an absolute path': [{ name: '/evil', content: 'x' }],
    'a link': [{ name: 'secret.key', type: '2', linkTo: '/etc/shadow' }],
    'a hard link': [manifest(), database, { name: 'secret.key', type: '1', linkTo: 'hostreeve.db' }],
    'a device': [{ name: 'secret.key', type: '3' }],
    'a fifo': [{ name: 'secret.key', type: '6' }],
    'a file that no backup has': [manifest(), database, { name: 'evil', content: 'x' }],
    'a manifest that names a path out of a folder': [manifest({ 'certificates/..': '0' }), database],
    'a manifest that names an absolute path': [manifest({ '/evil': '0' }), database],
    'a file that is not as the manifest has it': [
      manifest({ 'secret.key': '0' }),
      database,
      { name: 'secret.key', content: 'x' },
    ],
    'no database': [manifest()],
    'a manifest that is none': [{ name: 'manifest.json', content: '{"format":2}' }, database],
  }
  for (const [title, entries] of Object.entries(hostile))
    test(`are refused with ${title}, and nothing is written: restore_failed`, async () => {
      mkdirSync(folder(), { recursive: true })
      writeFileSync(`${folder()}/hostile.tar.gz`, tarGz(entries))
      const before = readdirSync(folder())
      assert.deepEqual(await refused(ask('POST', '/system/backup/restore/hostile.tar.gz')), [
        500,
        'restore_failed',
      ])
      assert.deepEqual(readdirSync(folder()), before, 'the safety backup is removed too')
      for (const path of ['restore-pending', '.restoring', 'evil', '../evil'])
        assert.ok(!existsSync(`${panel.root}/${path}`), path)
      assert.equal(readFileSync(`${panel.root}/secret.key`, 'utf8'), key)
      await panel.host.files.remove('/backups/panel/hostile.tar.gz')
    })

  test('are not found by names that are none', async () => {
    const names = [
      'a%00.db',
      '%2e%2e%2fsecret.key',
      'a%2f..%2fb.db',
      `${'x'.repeat(300)}.db`,
      '.hidden.db',
      '-.db',
    ]
    for (const name of names)
      for (const [method, path] of [
        ['GET', 'download/'],
        ['DELETE', ''],
        ['POST', 'restore/'],
      ] as const) {
        const { status, error } = await ask(method, `/system/backup/${path}${name}`)
        const isRefused = status >= 400 && status < 500
        assert.ok(isRefused || error.code === 'restore_failed', `${method} ${name}: ${status} ${error.code}`)
      }
    assert.equal(readFileSync(`${panel.root}/secret.key`, 'utf8'), key)
  })

  test('are uploaded under the name that they have', async () => {
    const form = (fileName: string) => {
      const boundary = 'b'
      const body = `--b\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n\r\nbytes\r\n--b--\r\n`
      return panel.app.inject({
        method: 'POST',
        url: '/api/system/backup/upload',
        headers: {
          authorization: `Bearer ${panel.admin.token}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
        payload: body,
      })
    }
    const stored = await form('mine.db')
    assert.deepEqual([stored.statusCode, stored.json().type], [200, 'db'])
    assert.equal((await form('mine.tar.gz')).json().type, 'full')
    assert.equal(readFileSync(`${folder()}/mine.db`, 'utf8'), 'bytes')
    const again = await form('mine.db')
    assert.deepEqual([again.statusCode, again.json().error.code], [500, 'save_error'])
    for (const name of ['mine.zip', 'a b.db', 'a..b.db', '.db', '-mine.db', `${'x'.repeat(300)}.db`])
      assert.equal((await form(name)).json().error.code, 'bad_request', name)
  })
})
