import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { after, before, describe, test } from 'node:test'
import { S3mini } from 's3mini'
import { freePorts } from '../../../test/support/free-ports.ts'
import { hangMs } from '../../../test/support/until.ts'
import { versitygwPath } from '../../../test/hosts/story/versitygw.ts'
import { poll } from '../../core/poll.ts'
import { type ObjectStoreSettings, openObjectStore } from './index.ts'

const signal = () => AbortSignal.timeout(hangMs)

describe('a bucket of an S3 server', () => {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-s3-`)
  const settings: ObjectStoreSettings = {
    endpoint: '',
    bucket: 'backups',
    accessKey: 'access',
    secretKey: 'secret-of-access',
    region: 'us-east-1',
  }
  let server: ChildProcess | undefined
  const it = (title: string, run: () => Promise<void>) =>
    test(title, async (t) => (server === undefined ? t.skip('versitygw is not built') : run()))
  before(async () => {
    const program = await versitygwPath().catch(() => undefined)
    if (program === undefined) return
    mkdirSync(`${folder}/data/backups`, { recursive: true })
    mkdirSync(`${folder}/iam`)
    const [port] = await freePorts(1)
    Object.assign(settings, { endpoint: `http://127.0.0.1:${port}` })
    const keys = ['--access', settings.accessKey, '--secret', settings.secretKey]
    const more = ['--iam-dir', `${folder}/iam`, '--health', '/health', '--quiet', 'posix', `${folder}/data`]
    server = spawn(program, ['--port', `127.0.0.1:${port}`, ...keys, ...more], { stdio: 'ignore' })
    const isUp = () =>
      fetch(`${settings.endpoint}/health`).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      )
    assert.ok(await poll(isUp, { limitMs: hangMs, everyMs: 50 }), 'versitygw starts')
  })
  after(async () => {
    server?.kill()
    if (server) await once(server, 'exit')
    rmSync(folder, { recursive: true })
  })

  it('is found with its key, and with no other', async () => {
    await openObjectStore(settings).assertBucket(signal())
    for (const wrong of [{ secretKey: 'another' }, { accessKey: 'another' }])
      await assert.rejects(openObjectStore({ ...settings, ...wrong }).assertBucket(signal()), /is wrong/)
    await assert.rejects(
      openObjectStore({ ...settings, bucket: 'none' }).assertBucket(signal()),
      /there is no bucket none/,
    )
  })

  for (const [title, size] of [
    ['empty', 0],
    ['small', 1000],
    ['of several parts', 12 * 1024 * 1024 + 7],
  ] as const)
    it(`keeps a file, ${title}, and gives it back`, async () => {
      const objects = openObjectStore(settings, { partBytes: 5 * 1024 * 1024 })
      const [from, to] = [`${folder}/from-${size}`, `${folder}/to-${size}`]
      writeFileSync(from, randomBytes(size))
      const key = `host 1/panel/${size}.tar.gz`
      await objects.put(key, from, signal())
      assert.deepEqual(readFileSync(`${folder}/data/backups/${key}`), readFileSync(from))
      const listed = await objects.list('host 1/panel/', signal())
      assert.ok(listed.some((each) => each.key === key && each.sizeBytes === size))
      await objects.get(key, to, signal())
      assert.deepEqual(readFileSync(to), readFileSync(from))
      await objects.remove(key, signal())
      await objects.remove(key, signal())
      assert.deepEqual(await objects.list(key, signal()), [])
    })

  it('is not believed when a byte of an object was flipped', async () => {
    const objects = openObjectStore(settings)
    writeFileSync(`${folder}/whole`, 'a backup')
    await objects.put('flipped', `${folder}/whole`, signal())
    writeFileSync(`${folder}/data/backups/flipped`, 'b backup')
    await assert.rejects(objects.get('flipped', `${folder}/got`, signal()), /checksum differs/)
    assert.ok(!existsSync(`${folder}/got`))
  })

  it('is read as a whole where an object is small, and refused where it is not', async () => {
    const objects = openObjectStore(settings)
    writeFileSync(`${folder}/note`, 'a note')
    await objects.put('deep/er/note', `${folder}/note`, signal())
    assert.equal((await objects.read('deep/er/note', 6, signal())).toString(), 'a note')
    await assert.rejects(objects.read('deep/er/note', 5, signal()), /too large/)
    await assert.rejects(objects.read('deep/er/none', 5, signal()), /there is no object/)
    assert.deepEqual(
      (await objects.list('deep/', signal())).map(({ key }) => key),
      ['deep/er/note'],
    )
  })

  it('keeps nothing of uploads that were cut off, but for those of other keys', async () => {
    const partBytes = 5 * 1024 * 1024
    const objects = openObjectStore(settings, { partBytes })
    const part = randomBytes(partBytes)
    const { endpoint, bucket, accessKey: accessKeyId, secretKey: secretAccessKey, region } = settings
    const client = new S3mini({ endpoint: `${endpoint}/${bucket}`, accessKeyId, secretAccessKey, region })
    const begin = async (key: string) =>
      client.uploadPart(key, await client.getMultipartUploadId(key), part, 1)
    /** The parts that the server keeps. */
    const kept = () =>
      readdirSync(`${folder}/data`, { recursive: true, encoding: 'utf8' }).filter(
        (path) => /multipart/.test(path) && statSync(`${folder}/data/${path}`).size === partBytes,
      ).length
    for (const key of ['cut & off/1', 'cut & off/2', 'cut & off/2', 'other']) await begin(key)
    assert.equal(kept(), 4)
    await objects.endUploads('cut & off/', signal())
    assert.equal(kept(), 1)
    await begin('again')
    writeFileSync(`${folder}/again`, Buffer.concat([part, part]))
    await objects.put('again', `${folder}/again`, signal())
    assert.equal(kept(), 1, 'an upload ends an earlier one of its key')
    await objects.endUploads('', signal())
    assert.equal(kept(), 0)
  })

  it('keeps nothing of an upload that is cancelled', async () => {
    const objects = openObjectStore(settings, { partBytes: 5 * 1024 * 1024 })
    writeFileSync(`${folder}/large`, randomBytes(11 * 1024 * 1024))
    const cancel = new AbortController()
    cancel.abort()
    await assert.rejects(objects.put('cancelled', `${folder}/large`, cancel.signal))
    assert.ok(!readdirSync(`${folder}/data/backups`).includes('cancelled'))
  })
})
