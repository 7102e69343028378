import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { bootHost, startPanel } from './harness/index.ts'
import type { Host, Panel } from './harness/index.ts'
import { checkout, runAll, shellBlocks } from './story/guide.ts'
import { offerMongodb } from './story/mongodb.ts'
import { type Owner, SignedIn } from './story/signed-in.ts'

const limitMs = 60_000
const password = 'a-long-password'

describe('databases of websites on MongoDB', () => {
  let host: Host
  let panel: Panel
  let admin: SignedIn
  let ada: Owner
  let bob: Owner
  const sites = new Map<string, number>()
  const ids = new Map<string, number>()
  before(async () => {
    host = await bootHost('docdbsites', { image: 'mongodb' })
    await offerMongodb(host)
    panel = await startPanel(host)
    admin = await SignedIn.as(panel)
    await admin.installNginx()
    const { job_id } = await admin.must('POST', '/api/programs/mongodb/install')
    await admin.followJob(job_id)
    ada = await admin.makeOwner('ada')
    bob = await admin.makeOwner('bob')
    for (const owner of [ada, bob]) {
      const draft = { domain: `${owner.username}.test`, type: 'static' }
      const { id } = await owner.signedIn.must('POST', '/api/websites', draft)
      sites.set(owner.username, id)
      for (const name of ['shop', 'copy']) await create(owner, name)
      await host.must(['runuser', '-u', owner.username, '--', 'mkdir', `/home/${owner.username}/db`])
    }
  })
  after(() => host?.remove())

  async function create(owner: Owner, name: string): Promise<void> {
    const body = { engine: 'mongodb', name, username: `${name}er`, password }
    const path = `/api/websites/${sites.get(owner.username)}/databases`
    const { id, name: full } = await owner.signedIn.must('POST', path, body)
    ids.set(full, id)
  }
  const at = (database: string, rest = '') => `/api/databases/docdb/${ids.get(database)}${rest}`
  /** Runs Python with the driver of MongoDB as an account of a database, which is `db`. */
  const as = async (database: string, user: string, script: string, secret = password) => {
    const address = `mongodb://${user}:${secret}@127.0.0.1/?directConnection=true&authSource=${database}`
    const begin = `from pymongo import MongoClient\nc = MongoClient('${address}', serverSelectionTimeoutMS=5000)\ndb = c['${database}']`
    return host.exec(['python3', '-c', `${begin}\n${script}`], {
      env: { PYTHONPATH: '/usr/lib/secantus' },
      timeoutMs: limitMs,
    })
  }
  const must = async (database: string, user: string, script: string) => {
    const { code, stdout, stderr } = await as(database, user, script)
    assert.equal(code, 0, stderr)
    return stdout.trim()
  }
  const stream = async (owner: Owner, path: string, body: object) => {
    const { bytes, status } = await owner.signedIn.ask('POST', path, body)
    assert.equal(status, 200, bytes.toString())
    return [...bytes.toString().matchAll(/^data: (.*)$/gm)].map(([, line = '']) => JSON.parse(line)).at(-1)
  }
  /** Each collection with its documents, the checksum of their bytes and its indexes, as the driver reads them. */
  const checksumsOf = (database: string, user: string) =>
    must(
      database,
      user,
      `import hashlib
from bson.raw_bson import RawBSONDocument
from bson.codec_options import CodecOptions
for name in sorted(db.list_collection_names()):
  raw = db[name].with_options(CodecOptions(document_class=RawBSONDocument))
  documents = [d.raw for d in raw.find().sort('_id', 1)]
  print(name, len(documents), hashlib.sha256(b''.join(documents)).hexdigest(), sorted(db[name].index_information()))`,
    )
  const accounts = async () =>
    (await admin.must('GET', '/api/docdb-server/users')).users.map((each: any) => `${each.user}@${each.db}`)

  it('are created, exported and imported as the guide says', async () => {
    const guide = await readFile(join(checkout, 'docs/guides/document-database.md'), 'utf8')
    const output = await runAll(host, panel, shellBlocks(guide.split('## 6. Databases of websites')[1] ?? ''))
    assert.match(output, /"name":"ada_notes","available":true/)
    assert.match(output, /"engine":"mongodb","name":"ada_notes".*"state":"present"/)
    assert.match(output, /"type":"done","message":"Import successful"/)
    const left = await accounts()
    assert.deepEqual(
      left.filter((each: string) => each.endsWith('@ada_notes')),
      ['ada_writer@ada_notes'],
    )
  })

  it('are used by their users, and lead to no other database', async () => {
    await must('ada_shop', 'ada_shoper', "db.items.insert_many([{'_id': i, 'n': i % 7} for i in range(300)])")
    await must('bob_shop', 'bob_shoper', "db.secrets.insert_one({'_id': 1})")
    assert.equal(await must('ada_shop', 'ada_shoper', "print(db.items.create_index('n'))"), 'n_1')
    const other = await as('ada_shop', 'ada_shoper', "print(c['bob_shop'].secrets.find_one())")
    assert.match(other.stderr, /Unauthorized|not authorized/i)
    const { items } = await ada.signedIn.must('GET', '/api/databases')
    const shop = items.find(({ name }: { readonly name: string }) => name === 'ada_shop')
    assert.deepEqual(
      [shop.engine, shop.state, shop.row_estimate, shop.table_count],
      ['mongodb', 'present', 300, 1],
    )
    const user = { username: 'reader', password }
    for (const [method, rest, body] of [
      ['DELETE', '', {}],
      ['POST', '/export', {}],
      ['POST', '/import', { file: '/home/bob/db/shop.archive.gz' }],
      ['POST', '/users', user],
    ] as const)
      assert.equal((await bob.signedIn.ask(method, at('ada_shop', rest), body)).status, 404, rest)
  })

  it('are exported, downloaded and imported unchanged, into another database too', async () => {
    await must(
      'ada_shop',
      'ada_shoper',
      `import bson, datetime
db.kinds.insert_one({'_id': 1, 'text': 'a\\0b "quoted" \\u00e9\\U0001f600', 'raw': bytes(range(256)), 'big': bson.Int64(2**62),
  'real': 1.5, 'none': None, 'yes': True, 'at': datetime.datetime(2026, 1, 10, 12, 0, 0, 5000), 'id': bson.ObjectId('0123456789abcdef01234567'),
  'list': [1, {'deep': [[]]}], 'pattern': bson.Regex('^a', 'i'), 'stamp': bson.Timestamp(1, 2), 'empty': {}})`,
    )
    const done = await stream(ada, at('ada_shop', '/export'), {})
    assert.equal(done.type, 'done', done.message)
    const query = `?file=${encodeURIComponent(done.file_path)}`
    const { bytes, status } = await ada.signedIn.ask('GET', at('ada_shop', `/download${query}`))
    assert.deepEqual([status, bytes.subarray(0, 2).toString('hex')], [200, '1f8b'])
    const end = await stream(ada, at('ada_copy', '/import'), { file: done.file_path })
    assert.deepEqual(end, { type: 'done', message: 'Import successful' })
    const sums = await checksumsOf('ada_shop', 'ada_shoper')
    assert.deepEqual(
      sums.split('\n').map((line) => line.split(' ').slice(0, 2)),
      [
        ['items', '300'],
        ['kinds', '1'],
      ],
    )
    assert.equal(await checksumsOf('ada_copy', 'ada_copyer'), sums)
    assert.deepEqual(
      (await accounts()).filter((each: string) => each.startsWith('hostreeve-import')),
      [],
    )
  })

  it('are as before where an import fails and a safety dump was made, and the message says why', async () => {
    const put = (name: string, content: string | Uint8Array) =>
      writeFile(join(host.rootPath, 'home/ada/db', name), content)
    await put('wrong.archive.gz', 'this is no archive')
    const body = { file: '/home/ada/db/wrong.archive.gz', safety_dump: true }
    const end = await stream(ada, at('ada_copy', '/import'), body)
    assert.equal(end.type, 'error')
    assert.match(end.message, /MongoDB: /)
    assert.equal(await must('ada_copy', 'ada_copyer', 'print(db.items.count_documents({}))'), '300')
    const outside = { file: '/etc/passwd' }
    assert.equal((await ada.signedIn.ask('POST', at('ada_copy', '/import'), outside)).code, 'bad_request')
  })

  it('take nothing that is no archive, or a part of one, and leave no account of an import', async () => {
    const whole = await stream(ada, at('ada_shop', '/export'), {})
    const packed = await readFile(join(host.rootPath, whole.file_path))
    const archive = gunzipSync(packed)
    const wrong = {
      'cut.archive.gz': packed.subarray(0, packed.length / 2),
      // within the documents of a collection: the last bytes are the end of the archive
      'truncated.archive.gz': gzipSync(archive.subarray(0, archive.length - 2000)),
      'plain.archive.gz': archive,
      'mariadb.archive.gz': gzipSync('-- MariaDB dump 10.19\ncreate table evil (a int);\n'),
    }
    await must('ada_copy', 'ada_copyer', "db.items.drop(); db.kinds.drop(); db.own.insert_one({'_id': 1})")
    const before = await checksumsOf('ada_copy', 'ada_copyer')
    for (const [name, content] of Object.entries(wrong)) {
      await writeFile(join(host.rootPath, 'home/ada/db', name), content)
      const body = { file: `/home/ada/db/${name}`, safety_dump: true }
      const end = await stream(ada, at('ada_copy', '/import'), body)
      assert.equal(end.type, 'error', `${name}: ${end.message}`)
      assert.equal(await checksumsOf('ada_copy', 'ada_copyer'), before, name)
    }
    const left = (await accounts()).filter((each: string) => each.startsWith('hostreeve-import'))
    assert.deepEqual(left, [])
  })

  it('get what an archive says of other databases, which is not changed by it', async () => {
    const secret = /password: "(.*)"/.exec(
      await readFile(join(host.rootPath, 'root/.hostreeve-mongodb.yaml'), 'utf8'),
    )?.[1]
    const asRoot = async (script: string) => {
      const { code, stdout, stderr } = await as('admin', 'hostreeve', script, secret)
      assert.equal(code, 0, stderr)
      return stdout.trim()
    }
    const outside = async () => [
      await checksumsOf('bob_shop', 'bob_shoper'),
      await asRoot('print(sorted(c.list_database_names()))'),
      await accounts(),
    ]
    const dumpOf = async (database: string) => {
      const path = `/root/${database}.archive`
      const options = ['--host=127.0.0.1', '--port=27017', '--config=/root/.hostreeve-mongodb.yaml']
      const account = [
        '--username=hostreeve',
        '--authenticationDatabase=admin',
        '--authenticationMechanism=SCRAM-SHA-256',
      ]
      await host.must(['mongodump', ...options, ...account, `--db=${database}`, `--archive=${path}`], {
        timeoutMs: limitMs,
      })
      return readFile(join(host.rootPath, path))
    }
    await asRoot(`c['bob_shop'].secrets.insert_one({'_id': 'planted'})
c['fake1']['xystem.users'].insert_one({'_id': 'admin.evil', 'user': 'evil', 'db': 'admin', 'roles': [{'role': 'root', 'db': 'admin'}]})`)
    const planted = await dumpOf('bob_shop')
    const fake = await dumpOf('fake1')
    await asRoot("c['bob_shop'].secrets.delete_one({'_id': 'planted'}); c.drop_database('fake1')")
    const renamed = (from: string, to: string, archive: Buffer) =>
      Buffer.from(archive.toString('latin1').replaceAll(from, to), 'latin1')
    const archives = {
      'of bob': planted,
      'of accounts': renamed('xystem.users', 'system.users', renamed('fake1', 'admin', fake)),
      'of accounts of the database': renamed('xystem.users', 'system.users', fake),
    }
    const before = await outside()
    for (const [name, archive] of Object.entries(archives)) {
      await writeFile(join(host.rootPath, 'home/ada/db/attack.archive.gz'), gzipSync(archive))
      const end = await stream(ada, at('ada_copy', '/import'), { file: '/home/ada/db/attack.archive.gz' })
      if (name === 'of bob') assert.equal(end.type, 'done', end.message)
      assert.deepEqual(await outside(), before, name)
    }
    assert.equal(
      await must('ada_copy', 'ada_copyer', "print(db.secrets.count_documents({'_id': 'planted'}))"),
      '1',
    )
    const evil = await as('admin', 'evil', 'db.command("ping")', 'x')
    assert.notEqual(evil.code, 0)
  })

  it('have users who are added, get a new password and are removed', async () => {
    const user = { username: 'reader', password }
    const added = await ada.signedIn.ask('POST', at('ada_shop', '/users'), user)
    assert.deepEqual([added.status, added.data], [201, { username: 'ada_reader', host: 'localhost' }])
    assert.equal((await ada.signedIn.ask('POST', at('ada_shop', '/users'), user)).code, 'conflict')
    const anywhere = { username: 'far', password, host: '%' }
    assert.equal((await ada.signedIn.ask('POST', at('ada_shop', '/users'), anywhere)).code, 'bad_request')
    const reset = await ada.signedIn.must('POST', at('ada_shop', '/users/ada_reader/reset-password'), {})
    assert.notEqual((await as('ada_shop', 'ada_reader', 'print(db.items.find_one())')).code, 0)
    assert.equal((await as('ada_shop', 'ada_reader', 'db.items.find_one()', reset.password)).code, 0)
    const given = '" \\ %@:/?#$[]{}`;--'
    await ada.signedIn.must('POST', at('ada_shop', '/users/ada_reader/reset-password'), { password: given })
    const signIn = await as('ada_shop', 'ada_reader', 'db.items.find_one()', encodeURIComponent(given))
    assert.equal(signIn.code, 0, signIn.stderr)
    await ada.signedIn.must('DELETE', at('ada_shop', '/users/ada_reader'))
    assert.equal((await accounts()).includes('ada_reader@ada_shop'), false)
  })

  it('are free or taken by name, and those of others are filed under a website', async () => {
    const check = (name: string) =>
      ada.signedIn.must('GET', `/api/databases/docdb/check-name?name=${name}&website_id=${sites.get('ada')}`)
    assert.deepEqual(await check('fresh'), { name: 'ada_fresh', available: true, reason: null })
    assert.equal((await check('shop')).available, false)
    const owner = { username: 'maker', password, database: 'legacy' }
    assert.equal((await admin.ask('POST', '/api/docdb-server/users', owner)).status, 200)
    await must('legacy', 'maker', "db.old.insert_one({'_id': 1})")
    const { databases } = await admin.must('GET', '/api/databases/docdb/admin/unassociated')
    assert.deepEqual(
      databases.map(({ name }: { readonly name: string }) => name),
      ['legacy'],
    )
    const body = { name: 'legacy', website_id: sites.get('ada') }
    assert.equal((await ada.signedIn.ask('POST', '/api/databases/docdb/admin/associate', body)).status, 403)
    const { id, engine } = await admin.must('POST', '/api/databases/docdb/admin/associate', body)
    assert.equal(engine, 'mongodb')
    ids.set('legacy', id)
    assert.equal((await admin.ask('POST', '/api/databases/docdb/admin/associate', body)).code, 'conflict')
  })

  it('are deleted with their users, and nothing else is', async () => {
    await ada.signedIn.must('DELETE', at('ada_shop'))
    assert.equal((await ada.signedIn.ask('DELETE', at('ada_shop'))).code, 'not_found')
    const left = await accounts()
    assert.deepEqual(
      ['ada_shoper@ada_shop', 'ada_copyer@ada_copy', 'bob_shoper@bob_shop'].map((each) =>
        left.includes(each),
      ),
      [false, true, true],
    )
    assert.equal(await must('bob_shop', 'bob_shoper', 'print(db.secrets.find_one())'), "{'_id': 1}")
  })
})
