import assert from 'node:assert/strict'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { mongodbVersion, offerMongodb } from './story/mongodb.ts'
import { SignedIn } from './story/signed-in.ts'

const limitMs = 60_000
const credentials = 'root/.hostreeve-mongodb.yaml'
const backupRoot = 'var/backups/hostreeve/mongodb'

describe('the document database server', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  before(async () => {
    host = await bootHost('docdb', { image: 'mongodb' })
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
  })
  after(() => host?.remove())

  const ask = (method: string, path: string, body?: unknown) =>
    admin.ask(method, `/api/docdb-server${path}`, body)
  /** Asks, and returns the body of a success, which has no envelope. */
  const must = async (method: string, path: string, body?: unknown) => {
    const { status, data, message, bytes } = await ask(method, path, body)
    assert.equal(status, 200, `${method} ${path}: ${message}`)
    return data ?? JSON.parse(bytes.toString())
  }
  const install = async () => {
    const { job_id } = await admin.must('POST', '/api/programs/mongodb/install')
    await admin.followJob(job_id)
    return admin.must('GET', `/api/jobs/${job_id}`)
  }
  /** The blocks of the server itself: databases of websites have a suite of their own. */
  const guide = async () => {
    const text = await readFile(join(checkout, 'docs/guides/document-database.md'), 'utf8')
    return shellBlocks(text.split('## 6. Databases of websites')[0] ?? '')
  }
  const backups = async (): Promise<string[]> =>
    (await must('GET', '/backups')).backups.map(({ name }: { readonly name: string }) => name)
  /** Runs Python with the driver of MongoDB, which is no part of the panel; `c` is the client. */
  const python = (script: string, account = '') =>
    host.exec(
      [
        'python3',
        '-c',
        `from pymongo import MongoClient\nc = MongoClient('mongodb://${account}127.0.0.1:27017/?directConnection=true&authSource=${account === '' ? 'admin' : 'shop'}', serverSelectionTimeoutMS=5000)\n${script}`,
      ],
      { env: { PYTHONPATH: '/usr/lib/secantus' }, timeoutMs: limitMs },
    )
  const asShop = async (script: string) => {
    const { code, stdout, stderr } = await python(script, 'shop:a-long-password@')
    assert.equal(code, 0, stderr)
    return stdout.trim()
  }

  it('cannot be installed without the repository of its maker, and says so', async () => {
    const { installed, reason } = await must('GET', '/status')
    assert.deepEqual([installed, /repository of MongoDB/.test(reason)], [false, true])
    const job = await install()
    assert.equal(job.state, 'failed')
    assert.match(job.message, /mongodb-org-server/)
    assert.equal((await ask('POST', '/start')).status, 503)
  })

  it('is installed by its guide, and asks for a sign-in from then on', async () => {
    await offerMongodb(host)
    const [installation = '', ...rest] = await guide()
    await runAll(host, panel, [installation])
    const status = await must('GET', '/status')
    assert.deepEqual(
      [status.installed, status.running, status.version, status.reason],
      [true, true, mongodbVersion, null],
    )
    assert.ok(status.memory_mb > 0)
    const configuration = await readFile(join(host.rootPath, 'etc/mongod.conf'), 'utf8')
    assert.match(configuration, /^security:\n {2}authorization: enabled$/m)
    assert.equal((await stat(join(host.rootPath, credentials))).mode & 0o777, 0o600)
    const anonymous = await python("print(c.shop.items.insert_one({'n': 1}))")
    assert.match(anonymous.stderr, /Unauthorized|not authorized|requires authentication/i)
    assert.equal((await host.must(['systemctl', 'is-enabled', 'mongod'])).stdout.trim(), 'enabled')
    const defined = installation.split('\n')[0] ?? ''
    const output = await runAll(host, panel, [defined, ...rest])
    assert.match(output, /"user":"shop","db":"shop","roles":\["readWrite@shop"\]/)
    assert.deepEqual(
      (await backups()).map((name) => name.replace(/^[\d_-]+/, '')),
      ['before-restore'],
    )
  })

  it('makes accounts with a role, and refuses what the server does not know', async () => {
    const account = { username: 'shop', password: 'a-long-password', database: 'shop' }
    assert.deepEqual(await must('POST', '/users', account), { success: true })
    assert.equal((await ask('POST', '/users', account)).code, 'conflict')
    const unknown = await ask('POST', '/users', { ...account, username: 'other', role: 'nonsense' })
    assert.deepEqual([unknown.status, unknown.code], [500, 'create_error'], unknown.message)
    assert.match(unknown.message, /role/)
    assert.equal((await ask('POST', '/users', { ...account, username: '$where' })).code, 'bad_request')
    const { users } = await must('GET', '/users')
    assert.deepEqual(users, [
      { user: 'hostreeve', db: 'admin', roles: ['root@admin'] },
      { user: 'shop', db: 'shop', roles: ['readWrite@shop'] },
    ])
    assert.equal(await asShop("c.shop.items.insert_many([{'_id': i} for i in range(500)]); print(1)"), '1')
    const other = await python("c.other.items.insert_one({'n': 1})", 'shop:a-long-password@')
    assert.match(other.stderr, /Unauthorized|not authorized/i)
    assert.equal((await ask('DELETE', '/users/hostreeve')).code, 'conflict')
    assert.equal((await ask('DELETE', '/users/shop')).code, 'not_found')
  })

  let backup = ''
  it('backs up, and restores what was there, without collections made since', async () => {
    await asShop("c.shop.items.create_index('n')")
    backup = (await must('POST', '/backup')).backup
    assert.equal((await backups())[0], backup)
    assert.equal((await stat(join(host.rootPath, backupRoot))).mode & 0o777, 0o700)
    await asShop("c.shop.items.delete_many({'_id': {'$gt': 9}}); c.shop.later.insert_one({'_id': 1})")
    const { success, message } = await must('POST', '/restore', { backup })
    assert.deepEqual([success, message.includes(backup)], [true, true])
    assert.equal(
      await asShop(
        'print(c.shop.items.count_documents({}), c.shop.list_collection_names(), len(c.shop.items.index_information()))',
      ),
      "500 ['items'] 2",
    )
    const { items } = await admin.must('GET', '/api/activity?sort=-id')
    assert.equal(items[0].status, 'ok')
  })

  it('puts back the former databases where a document is refused, although mongorestore succeeds', async () => {
    const path = join(host.rootPath, backupRoot, backup, 'shop/items.bson.gz')
    const dump = await readFile(path)
    await writeFile(path, Buffer.concat([dump, dump])) // each _id twice
    await asShop("c.shop.items.delete_many({}); c.shop.now.insert_one({'_id': 7})")
    const refused = await ask('POST', '/restore', { backup })
    assert.deepEqual([refused.status, refused.code], [500, 'restore_error'], refused.message)
    assert.match(refused.message, /500 document\(s\) failed to restore/)
    assert.equal(
      await asShop('print(c.shop.list_collection_names(), c.shop.now.find_one())'),
      "['items', 'now'] {'_id': 7}",
    )
    await writeFile(path, dump.subarray(0, dump.length / 2))
    assert.equal((await ask('POST', '/restore', { backup })).code, 'restore_error')
    assert.equal(await asShop('print(c.shop.now.find_one())'), "{'_id': 7}")
    const { items } = await admin.must('GET', '/api/activity?sort=-id')
    assert.equal(items[0].status, 'restored', items[0].message)
    await writeFile(path, dump)
  })

  it('refuses names of backups that are paths, and backups that do not exist', async () => {
    for (const name of ['../../etc', '/etc', '.', 'x'])
      assert.equal((await ask('POST', '/restore', { backup: name })).code, 'bad_request', name)
    assert.equal((await ask('POST', '/restore', { backup: '2020-01-01_000000' })).code, 'not_found')
    for (const name of ['..%2F..%2Fetc', '2020-01-01_000000'])
      assert.equal((await ask('DELETE', `/backups/${name}`)).code, 'not_found', name)
    assert.deepEqual(await must('DELETE', `/backups/${backup}`), { success: true })
    assert.equal((await backups()).includes(backup), false)
  })

  it('stops and starts; while it is stopped, figures are zero and a backup says why it fails', async () => {
    assert.deepEqual(await must('POST', '/stop'), { success: true, message: 'MongoDB is stopped' })
    const { running, connections, data_size } = await must('GET', '/status')
    assert.deepEqual([running, connections, data_size], [false, 0, 0])
    const { users, reason } = await must('GET', '/users')
    assert.deepEqual([users, reason], [[], 'MongoDB is stopped: start it'])
    const refused = await ask('POST', '/backup')
    assert.deepEqual([refused.status, refused.code], [500, 'backup_error'])
    assert.match(refused.message, /stopped/)
    assert.deepEqual(await must('POST', '/start'), { success: true, message: 'MongoDB is running' })
    assert.deepEqual(await must('POST', '/restart'), { success: true, message: 'MongoDB was restarted' })
  })
})
