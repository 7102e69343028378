import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, beforeEach, describe, it } from 'node:test'
import { hangMs } from '../../../test/support/until.ts'
import { ObjectRetained, ObjectStoreFailed, openObjectStore } from './index.ts'
import { type StandInBucket, standInBucket } from './testing/server.ts'

const signal = () => AbortSignal.timeout(hangMs)
const isFailure = { kind: ObjectStoreFailed }

describe('a bucket of an S3 server that fails', () => {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-s3-faults-`)
  const [file, got] = [`${folder}/file`, `${folder}/got`]
  let bucket: StandInBucket
  before(async () => {
    bucket = await standInBucket()
    writeFileSync(file, 'a backup')
  })
  beforeEach(() => {
    bucket.objects.clear()
    bucket.asked.length = 0
    bucket.fault = () => undefined
  })
  after(async () => {
    await bucket.close()
    rmSync(folder, { recursive: true })
  })
  const open = (bucketName = 'backups') =>
    openObjectStore(
      { endpoint: bucket.endpoint, bucket: bucketName, accessKey: 'a', secretKey: 'b', region: 'us-east-1' },
      { limitMs: 300 },
    )

  for (const [fault, attempts] of [
    [500, 3],
    ['closed', 3],
    ['silent', 3],
    [403, 1],
  ] as const)
    it(`with ${fault} is asked ${attempts === 1 ? 'once' : `${attempts} times`}, whatever is asked`, async () => {
      const objects = open()
      await objects.put('kept', file, signal())
      bucket.fault = () => fault
      const requests = {
        assertBucket: () => objects.assertBucket(signal()),
        put: () => objects.put('key', file, signal()),
        get: () => objects.get('kept', got, signal()),
        read: () => objects.read('kept', 100, signal()),
        list: () => objects.list('', signal()),
        remove: () => objects.remove('kept', signal()),
      }
      bucket.asked.length = 0
      const all = Object.entries(requests)
      await Promise.all(all.map(([name, ask]) => assert.rejects(ask(), isFailure, name)))
      assert.equal(bucket.asked.length, attempts * all.length)
      assert.ok(!existsSync(got))
      assert.deepEqual([...bucket.objects.keys()], ['kept'])
    })

  it('twice is asked a third time, and the object is stored', async () => {
    bucket.fault = () => (bucket.asked.length < 3 ? 500 : undefined)
    await open().put('key', file, signal())
    assert.equal(bucket.asked.length, 3)
    assert.equal(bucket.objects.get('key')?.bytes.toString(), 'a backup')
  })

  it('with half an object leaves no file', async () => {
    await open().put('key', file, signal())
    bucket.fault = ({ method }) => (method === 'GET' ? 'half' : undefined)
    await assert.rejects(open().get('key', got, signal()), isFailure)
    assert.ok(!existsSync(got))
  })

  for (const [server, status, code, message] of [
    ['AWS', 403, 'AccessDenied', 'Access Denied because object protected by object lock.'],
    ['MinIO', 400, 'InvalidRequest', 'Object is WORM protected and cannot be overwritten'],
  ] as const)
    it(`to delete what ${server} keeps under retention tells so`, async () => {
      await open().put('key', file, signal())
      const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`
      bucket.fault = ({ method }) => (method === 'DELETE' ? { status, body } : undefined)
      await assert.rejects(open().remove('key', signal()), { kind: ObjectRetained })
    })

  it('is never asked for what is outside of the bucket', async () => {
    for (const name of ['', '.', '..']) await assert.rejects(open(name).assertBucket(signal()), isFailure)
    for (const key of ['..', '../other/key', 'a/./b', 'a/..']) {
      await assert.rejects(open().put(key, file, signal()), isFailure, key)
      await assert.rejects(open().get(key, got, signal()), isFailure, key)
      await assert.rejects(open().remove(key, signal()), isFailure, key)
    }
    assert.deepEqual(bucket.asked, [])
  })
})
