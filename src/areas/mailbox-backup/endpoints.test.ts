import assert from 'node:assert/strict'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { mimeOf, type StandInMessage, type StandInUser } from '../../tools/graph/testing/mailboxes.ts'
import { type Bench, openBench, s3Of } from './testing/bench.ts'

const odd = `a\u202Eexe\r\n.pdf${'x'.repeat(300)}`

describe('mailbox backup', () => {
  let bench: Bench
  let adele: StandInUser
  let bob: StandInUser
  let report: StandInMessage
  before(async () => {
    bench = await openBench()
    const { mail } = bench.graph
    adele = mail.addUser('Adele@example.com')
    bob = mail.addUser('bob@example.com')
    mail.addUser('room@example.com', false)
    const [inbox] = adele.folders
    for (let index = 0; index < 60; index += 1) mail.addMessage(inbox!, `Invoice 100% ${index}`)
    const projects = mail.addFolder(adele, 'Projects/2026')
    const below = mail.addFolder(adele, 'Über', projects)
    report = mail.addMessage(below, 'Report', [
      { name: 'é report.txt', contentType: 'text/html', kind: 'fileAttachment', data: Buffer.from('one') },
      { name: odd, contentType: 'not a type', kind: 'itemAttachment', data: Buffer.from('two') },
      { name: 'link', contentType: 'text/plain', kind: 'referenceAttachment', data: Buffer.alloc(0) },
    ])
    mail.addMessage(below, null)
    mail.addMessage(bob.folders[0]!, 'For Bob')
    await bench.configure(s3Of(bench.bucket))
    await bench.run()
  })
  beforeEach(() => {
    bench.bucket.status = undefined
    bench.graph.refusals.length = 0
  })
  after(() => bench.close())
  const refused = async (asked: ReturnType<Bench['ask']>) => {
    const { status, error } = await asked
    return [status, error.message] as const
  }
  const messages = async (email: string, query = '') =>
    (await bench.ask('GET', `/messages/${encodeURIComponent(email)}${query}`)).json
  const bytesOf = (path: string) =>
    bench.panel.app.inject({
      url: `/api/mailbox-backup${path}`,
      headers: { authorization: `Bearer ${bench.panel.admin.token}` },
    })
  const reportId = async () => (await messages('adele@example.com', '?search=report')).messages[0].id

  test('is for superusers, and needs its feature', async () => {
    const tenant = await bench.panel.person({ permissions: ['administrative_operations'] })
    for (const [method, path] of [
      ['GET', '/config'],
      ['POST', '/config'],
      ['POST', '/exclude'],
      ['POST', '/schedule'],
      ['POST', '/test-idp'],
      ['POST', '/test-s3'],
      ['POST', '/run'],
      ['GET', '/status'],
      ['GET', '/users'],
      ['GET', '/logs'],
      ['GET', '/messages/a@b.c'],
      ['GET', '/messages/a@b.c/1/attachments'],
      ['GET', '/messages/a@b.c/1/download'],
      ['GET', '/attachment/a@b.c/1'],
    ] as const) {
      const { status } = await bench.panel.request(method, `/api/mailbox-backup${path}`, { as: tenant })
      assert.equal(status, 403, path)
    }
    const bare = await openBench({ environment: { HOSTREEVE_FEATURES: 'other' } })
    const { status, error } = await bare.ask('GET', '/config')
    await bare.close()
    assert.deepEqual([status, error.code], [403, 'feature_disabled'])
    assert.match(error.message, /mailbox_backup/)
  })

  test('shows defaults before it is set up', async () => {
    const bare = await openBench()
    const { data } = await bare.ask('GET', '/config')
    const { data: log } = await bare.ask('GET', '/logs')
    const run = await bare.ask('POST', '/run', {})
    const { data: users } = await bare.ask('GET', '/users')
    await bare.close()
    assert.deepEqual(
      [data.backup_schedule, data.retention_days, data.data_dir, data.idp_client_secret],
      ['0 2 * * *', 365, '/mailbox-backup', null],
    )
    assert.deepEqual(log.lines, [])
    assert.deepEqual([run.status, users.users], [400, []])
    assert.match(run.error.message, /^idp_tenant_id: is required/)
    assert.match(users.error, /^idp_tenant_id/)
  })

  test('masks secrets, keeps them, and shows them nowhere else', async () => {
    const { data } = await bench.ask('GET', '/config')
    assert.deepEqual([data.idp_client_secret, data.s3_secret_key], ['the-••••••••tion', 'a-lo••••••••-key'])
    for (const kept of [data.idp_client_secret, '********'])
      await bench.ask('POST', '/config', { idp_client_secret: kept, s3_secret_key: kept })
    assert.equal((await bench.ask('POST', '/test-idp', {})).status, 200)
    const { db } = bench.panel.store
    const stored = JSON.stringify([
      await db.selectFrom('mailbox_settings').selectAll().execute(),
      await db.selectFrom('activity').selectAll().execute(),
      await db.selectFrom('jobs').selectAll().execute(),
      (await bench.ask('GET', '/logs')).data,
      bench.panel.log,
    ])
    for (const secret of [bench.graph.secret, 'a-long-secret-key', 'a-token'])
      assert.ok(!stored.includes(secret))
  })

  test('refuses settings that cannot work, and names the field', async () => {
    for (const [body, told] of [
      [{ backup_schedule: 'soon' }, /^backup_schedule: must be a cron expression/],
      [{ backup_schedule: '* * * * * *' }, /^backup_schedule/],
      [{ retention_days: -1 }, /retention_days/],
      [{ attachment_storage: 'tape' }, /attachment_storage/],
      [{ s3_endpoint: 'ftp://a', s3_secret_key: 'x' }, /^s3_endpoint/],
      [{ s3_endpoint: 'https://other.example.com' }, /^s3_secret_key: enter it again/],
      [{ idp_tenant_id: 'other' }, /^idp_client_secret: enter it again/],
      [{ idp_tenant_id: '../x' }, /idp_tenant_id/],
      [{ idp_tenant_id: '..', idp_client_secret: 'x' }, /^idp_tenant_id: must be the id or the domain/],
      [{ attachment_storage: 's3', s3_bucket: '' }, /^s3_bucket: is required/],
      [{ s3_encrypt: true }, /^s3_encrypt: generate the encryption key/],
      [{ data_dir: '/home/ada/mail' }, /^data_dir/],
      [{ data_dir: '/etc/mail/x' }, /^data_dir/],
      [{ data_dir: '/srv/../etc/x' }, /^data_dir/],
      [{ data_dir: '/srv' }, /^data_dir/],
      [{ data_dir: '/' }, /^data_dir: must be a folder within another one/],
      [{ data_dir: '/var/spool/cron' }, /^data_dir: must not be in a folder of the system/],
      [{ s3_bucket: '..' }, /^s3_bucket: must be the name of a bucket/],
      [{ s3_bucket: 'a/b' }, /^s3_bucket/],
      [{ s3_region: 'a b' }, /^s3_region: must be a region such as us-east-1/],
      [
        { idp_client_secret: 'pasted\n' },
        /^idp_client_secret: must be text of at most 1000 characters on one/,
      ],
      [{ s3_secret_key: 'a\0b' }, /^s3_secret_key/],
      [{ data_dir: 'srv/mail' }, /^data_dir: must be an absolute path, or empty/],
      [{ excluded_users: ['not an address'] }, /^excluded_users\.0: must be an e-mail address/],
    ] as const) {
      const [status, message] = await refused(bench.ask('POST', '/config', body))
      assert.equal(status, 400, JSON.stringify(body))
      assert.match(message, told)
    }
  })

  test('takes no folder that is a link, a file, or one that somebody else can write in', async () => {
    const at = (path: string) => `${bench.panel.root}${path}`
    for (const path of ['/srv/theirs/in', '/srv/open', '/srv/group', '/srv/own/in'])
      mkdirSync(at(path), { recursive: true, mode: 0o755 })
    symlinkSync(at('/srv/own'), at('/srv/link'))
    symlinkSync(at('/nowhere'), at('/srv/dangling'))
    writeFileSync(at('/srv/file'), '')
    chmodSync(at('/srv/open'), 0o1777)
    const isRoot = process.getuid?.() === 0
    if (isRoot) chownSync(at('/srv/theirs'), 65_534, 65_534)
    if (isRoot) chownSync(at('/srv/group'), 0, 65_534)
    chmodSync(at('/srv/group'), 0o775)
    for (const [path, told] of [
      ['/srv/link', /^data_dir: \/srv\/link is a link/],
      ['/srv/link/in', /^data_dir: \/srv\/link is a link/],
      ['/srv/dangling/x', /^data_dir: \/srv\/dangling is a link/],
      ['/srv/file/x', /^data_dir: \/srv\/file is not a folder/],
      ['/srv/open/x', /^data_dir: \/srv\/open must belong to root, and nobody else/],
      [`/srv/${'x'.repeat(256)}`, /^data_dir: must have at most 1000 bytes, and at most 255/],
      ...(isRoot ? ([['/srv/theirs/in', /^data_dir: \/srv\/theirs must belong to root/]] as const) : []),
      ...(isRoot ? ([['/srv/group/x', /^data_dir: \/srv\/group must belong to root/]] as const) : []),
    ] as const) {
      const [status, message] = await refused(bench.ask('POST', '/config', { data_dir: path }))
      assert.equal(status, 400, path)
      assert.match(message, told)
    }
  })

  test('runs into no folder that has become a link since it was set', async () => {
    const late = `${bench.panel.root}/srv/late`
    assert.equal((await bench.ask('POST', '/config', { data_dir: '/srv/late/in' })).status, 200)
    mkdirSync(`${bench.panel.root}/srv`, { recursive: true })
    symlinkSync('/nowhere', late)
    const [status, message] = await refused(bench.ask('POST', '/run', {}))
    assert.deepEqual([status, message.startsWith('data_dir: /srv/late is a link')], [400, true])
    rmSync(late)
    assert.equal((await bench.ask('POST', '/config', { data_dir: '' })).status, 200)
  })

  test('takes back what it shows, with what it masks', async () => {
    const shown = (await bench.ask('GET', '/config')).data
    assert.deepEqual((await bench.ask('POST', '/config', shown)).data, { status: 'ok' })
    assert.deepEqual((await bench.ask('GET', '/config')).data, shown)
    assert.equal((await bench.ask('POST', '/test-idp', {})).status, 200)
    const bare = await openBench()
    const empty = (await bare.ask('GET', '/config')).data
    assert.equal((await bare.ask('POST', '/config', empty)).status, 200)
    assert.deepEqual((await bare.ask('GET', '/config')).data, empty)
    await bare.close()
  })

  test('has defaults for what is empty, and keeps what is left out', async () => {
    const bare = await openBench()
    await bare.configure({ ...s3Of(bare.bucket), retention_days: 30, data_dir: '/srv/mail/' })
    const read = async () => (await bare.ask('GET', '/config')).data
    const { retention_days, data_dir } = await read()
    assert.deepEqual([retention_days, data_dir], [30, '/srv/mail'])
    const empty = { retention_days: 0, data_dir: '', excluded_users: null, s3_region: null, s3_bucket: null }
    assert.deepEqual((await bare.ask('POST', '/config', { ...empty, backup_schedule: null })).data, {
      status: 'ok',
    })
    const {
      s3_endpoint,
      idp_tenant_id,
      s3_secret_key: _key,
      idp_client_secret: _secret,
      ...left
    } = await read()
    await bare.close()
    assert.deepEqual([s3_endpoint, idp_tenant_id], [bare.bucket.endpoint, 'tenant-1'])
    assert.deepEqual(
      [left.retention_days, left.data_dir, left.excluded_users, left.s3_region, left.s3_bucket],
      [365, '/mailbox-backup', [], '', ''],
    )
    assert.equal(left.backup_schedule, '')
  })

  test('replaces the list of excluded mailboxes, which users and runs respect', async () => {
    const { data } = await bench.ask('POST', '/exclude', {
      excluded_users: ['BOB@example.com', 'bob@example.com'],
    })
    assert.deepEqual(data, { status: 'ok', excluded_users: ['bob@example.com'] })
    const { data: listed } = await bench.ask('GET', '/users')
    const shown = listed.users.map(({ email, excluded, state }: any) => [email, excluded, state])
    assert.deepEqual(shown, [
      ['adele@example.com', false, 'ok'],
      ['bob@example.com', true, 'ok'],
      ['room@example.com', false, 'no_mailbox'],
    ])
    const before = bench.graph.requests.length
    await bench.run()
    assert.ok(!bench.graph.requests.slice(before).some((each) => each.includes(`/users/${bob.id}/`)))
    assert.equal((await bench.ask('POST', '/exclude', { excluded_users: 'bob' })).status, 400)
    assert.deepEqual((await bench.ask('POST', '/exclude', {})).data.excluded_users, ['bob@example.com'])
    await bench.ask('POST', '/exclude', { excluded_users: [] })
  })

  test('has a schedule that can be set and left out', async () => {
    assert.equal((await bench.ask('POST', '/schedule', { backup_schedule: '15 3 * * 1' })).status, 200)
    const { data: on } = await bench.ask('GET', '/status')
    assert.match(on.next_run, /T03:15:00/)
    assert.equal((await bench.ask('POST', '/schedule', { backup_schedule: 'at 3' })).status, 400)
    await bench.ask('POST', '/schedule', { backup_schedule: '' })
    assert.equal((await bench.ask('GET', '/status')).data.next_run, null)
  })

  test('tests the identity provider and the S3 server with what is given, or what is stored', async () => {
    const { data } = await bench.ask('POST', '/test-idp', {})
    assert.match(data.message, /3 users; the mailbox that was tried has 5 folders/)
    const wrong = await refused(bench.ask('POST', '/test-idp', { idp_client_secret: 'wrong' }))
    assert.deepEqual([wrong[0], /AADSTS7000215/.test(wrong[1])], [400, true])
    for (const [body, field] of [
      [{ idp_tenant_id: 'other' }, 'idp_client_secret: enter it again'],
      [{ idp_tenant_id: '' }, 'idp_tenant_id: is required'],
      [{ idp_client_secret: 5 }, 'idp_client_secret: must be text'],
    ] as const) {
      const [status, message] = await refused(bench.ask('POST', '/test-idp', body))
      assert.deepEqual([status, message.startsWith(field)], [400, true], message)
    }
    assert.equal((await bench.ask('POST', '/test-s3', s3Of(bench.bucket))).status, 200)
    bench.bucket.status = 403
    assert.equal((await bench.ask('POST', '/test-s3', s3Of(bench.bucket))).status, 400)
    const elsewhere = { s3_endpoint: 'https://other.example.com' }
    const [status, message] = await refused(bench.ask('POST', '/test-s3', elsewhere))
    assert.deepEqual([status, message.startsWith('s3_secret_key')], [400, true])
  })

  test('lists messages by folder, search and page', async () => {
    const first = await messages('ADELE@example.com')
    assert.deepEqual([first.email, first.total, first.page, first.per_page], ['adele@example.com', 62, 1, 50])
    assert.deepEqual(first.folders, [
      { name: 'Inbox', count: 60 },
      { name: 'Projects∕2026/Über', count: 2 },
    ])
    assert.deepEqual([first.messages.length, first.messages[0].subject], [50, ''])
    assert.equal((await messages('adele@example.com', '?page=2')).messages.length, 12)
    assert.equal((await messages('adele@example.com', '?page=9')).messages.length, 0)
    const total = async (query: string) => (await messages('adele@example.com', query)).total
    assert.equal(await total(`?folder=${encodeURIComponent('Projects∕2026/Über')}`), 2)
    assert.equal(await total('?folder=inbox'), 0)
    assert.equal(await total(`?search=${encodeURIComponent('VOICE 100%')}`), 60)
    assert.equal(await total(`?search=${encodeURIComponent('"')}`), 0)
    assert.equal(await total(`?search=${encodeURIComponent('0%')}`), 60)
    assert.equal(await total(`?search=${encodeURIComponent('"dana" OR *')}`), 0)
    assert.equal(await total('?search=dana'), 62)
    assert.equal((await bench.ask('GET', '/messages/adele@example.com?page=0')).status, 400)
  })

  test('sends a message with the bytes of the server', async () => {
    const path = `/messages/adele@example.com/${await reportId()}/download`
    const { statusCode, headers, rawPayload } = await bytesOf(path)
    assert.deepEqual([statusCode, headers['content-type']], [200, 'message/rfc822'])
    assert.match(String(headers['content-disposition']), /^attachment; filename="Report\.eml"/)
    assert.deepEqual(rawPayload, mimeOf(report))
  })

  test('lists and sends attachments by names that are safe', async () => {
    const { json } = await bench.ask('GET', `/messages/adele@example.com/${await reportId()}/attachments`)
    const [one, two, link] = json.attachments
    assert.deepEqual(
      [one.filename, one.size, one.content_type, one.s3_key],
      ['é report.txt', 3, 'text/html', ''],
    )
    assert.deepEqual([two.content_type, two.filename.length], ['message/rfc822', 300])
    assert.doesNotMatch(two.filename, /[\u202E\r\n]/)
    const { statusCode, headers, payload } = await bytesOf(`/attachment/adele@example.com/${one.id}`)
    assert.deepEqual([statusCode, payload], [200, 'one'])
    assert.match(String(headers['content-type']), /^text\/html/)
    assert.match(
      String(headers['content-disposition']),
      /^attachment; .*filename\*=UTF-8''%C3%A9%20report\.txt/,
    )
    assert.deepEqual((await refused(bench.ask('GET', `/attachment/adele@example.com/${link.id}`)))[0], 404)
  })

  test('finds nothing of other mailboxes, and no files elsewhere', async () => {
    const id = await reportId()
    const { json } = await bench.ask('GET', `/messages/adele@example.com/${id}/attachments`)
    for (const path of [
      `/messages/bob@example.com/${id}/download`,
      `/messages/bob@example.com/${id}/attachments`,
      `/attachment/bob@example.com/${json.attachments[0].id}`,
      '/messages/nobody@example.com',
      '/messages/room@example.com',
      `/messages/${encodeURIComponent('../adele@example.com')}`,
      `/messages/${encodeURIComponent('..')}`,
      `/messages/${encodeURIComponent('a/../adele_at_example.com')}`,
      `/messages/${encodeURIComponent('adele%40example.com')}`,
      '/messages/adele_at_example.com',
      '/messages/adele@example.com/1/download',
      `/attachment/adele@example.com/${encodeURIComponent('../../mailbox.db')}`,
    ])
      assert.equal((await bench.ask('GET', path)).status, 404, path)
  })

  test('backs up addresses with characters that paths use, each apart, and sends any attachment', async () => {
    const bare = await openBench()
    const addresses = ['a/b@example.com', '..@example.com', 'c%2f@example.com', "O'x+y@example.com"]
    for (const address of addresses) {
      const user = bare.graph.mail.addUser(address)
      bare.graph.mail.addMessage(user.folders[0]!, `For ${address}`, [
        { name: odd, contentType: 'a\r\nb', kind: 'fileAttachment', data: Buffer.from(address) },
      ])
    }
    await bare.configure()
    assert.equal((await bare.run()).result.failed, 0)
    for (const address of addresses) {
      const path = encodeURIComponent(address)
      const { json } = await bare.ask('GET', `/messages/${path}`)
      assert.deepEqual([json.total, json.messages[0].subject], [1, `For ${address}`])
      const of = (await bare.ask('GET', `/messages/${path}/${json.messages[0].id}/attachments`)).json
      const { headers, payload } = await bare.panel.app.inject({
        url: `/api/mailbox-backup/attachment/${path}/${of.attachments[0].id}`,
        headers: { authorization: `Bearer ${bare.panel.admin.token}` },
      })
      assert.equal(payload, address)
      assert.equal(headers['content-type'], 'application/octet-stream')
      assert.match(String(headers['content-disposition']), /^attachment; filename="aexe \.pdfx+"; filename\*/)
    }
    const folders = readdirSync(`${bare.panel.root}/mailbox-backup`)
    assert.deepEqual(folders.filter((name) => name.includes('_at_')).length, 4)
    await bare.close()
  })

  test('keeps a database for each mailbox, and a log', async () => {
    const root = `${bench.panel.root}/mailbox-backup/adele_at_example.com`
    assert.ok(readdirSync(root).includes('mailbox.db'))
    assert.equal(readFileSync(`${root}/mailbox.db`).subarray(0, 15).toString(), 'SQLite format 3')
    const { data } = await bench.ask('GET', '/logs')
    assert.ok(
      data.lines.some((line: string) =>
        line.endsWith('adele@example.com: 62 messages were new or had changed'),
      ),
    )
    assert.ok(data.lines.length <= 100)
  })

  test('says that a database is damaged, which does not stop the run of others', async () => {
    const bare = await openBench()
    const { mail } = bare.graph
    for (const name of ['adele', 'bob'])
      mail.addMessage(mail.addUser(`${name}@example.com`).folders[0]!, name)
    await bare.configure()
    await bare.run()
    const damaged = `${bare.panel.root}/mailbox-backup/adele_at_example.com/mailbox.db`
    for (const ending of ['-wal', '-shm']) rmSync(`${damaged}${ending}`, { force: true })
    writeFileSync(damaged, 'no database'.repeat(500))
    const found = await bare.ask('GET', '/messages/adele@example.com')
    const job = await bare.run()
    const { data } = await bare.ask('GET', '/users')
    await bare.close()
    assert.equal(found.status, 500)
    assert.match(found.error.message, /^the database of the mailbox fails/)
    assert.deepEqual([job.state, job.result.failed], ['succeeded', 1])
    assert.deepEqual(
      data.users.map(({ state }: any) => state),
      ['failed', 'ok'],
    )
  })

  test('runs for some mailboxes, and shows how far it is', async () => {
    const job = await bench.run({ users: ['BOB@example.com'] })
    assert.equal(job.state, 'succeeded')
    const { data } = await bench.ask('GET', '/status')
    assert.deepEqual(
      [data.running, data.job_id, data.runs[0].mailboxes, data.runs[0].state],
      [false, null, 1, 'ok'],
    )
    assert.equal((await bench.ask('POST', '/run', { users: [] })).status, 400)
    assert.equal((await bench.ask('POST', '/run', { users: ['nobody'] })).status, 400)
    const missing = await bench.run({ users: ['nobody@example.com'] })
    assert.deepEqual(
      [missing.state, /has no mailbox nobody@example\.com/.test(missing.message)],
      ['failed', true],
    )
  })
})
