import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { after, before, beforeEach, describe, test } from 'node:test'
import { mimeOf, type StandInMessage, type StandInUser } from '../../../tools/graph/testing/mailboxes.ts'
import { type Bench, openBench, s3Of } from '../testing/bench.ts'

describe('a verification of backups', () => {
  let bench: Bench
  let adele: StandInUser
  let message: StandInMessage
  before(async () => {
    bench = await openBench()
    const { mail } = bench.graph
    adele = mail.addUser('adele@example.com')
    message = mail.addMessage(adele.folders[0]!, 'one')
    mail.addMessage(adele.folders[0]!, 'two')
    mail.addMessage(mail.addUser('bob@example.com').folders[0]!, 'For Bob', [
      { name: 'a', contentType: 'text/plain', kind: 'fileAttachment', data: Buffer.from('on S3') },
    ])
    await bench.configure({ ...s3Of(bench.bucket), attachment_storage: 's3' })
  })
  beforeEach(() => void (bench.bucket.status = undefined))
  after(() => bench.close())

  const verified = async (body: object = {}) => {
    const { status, data, json } = await bench.ask('POST', '/verify', body)
    assert.equal(status, 202, JSON.stringify(json))
    const job = await bench.ended(data.job_id)
    const { data: found } = await bench.ask('GET', '/verifications')
    assert.deepEqual([found.running, found.job_id], [false, null])
    return { job, of: (email: string) => found.mailboxes.find((each: any) => each.email === email) }
  }
  const fileOf = (bytes: Buffer) => {
    const hash = createHash('sha256').update(bytes).digest('hex')
    return `${bench.panel.root}/mailbox-backup/adele_at_example.com/content/${hash.slice(0, 2)}/${hash}`
  }

  test('needs a backup, and refuses what it cannot verify by the field', async () => {
    const none = await bench.ask('POST', '/verify', {})
    assert.match(none.error.message, /^users: there is no backup to verify/)
    await bench.run()
    for (const [body, told] of [
      [{ users: ['nobody@example.com'] }, /^users: there is no backup of nobody@example\.com/],
      [{ users: [] }, /^users/],
      [{ users: ['a'] }, /^users\.0/],
      [{ sample: -1 }, /^sample: must be a number from 0 to 1000/],
      [{ sample: 1001 }, /^sample/],
    ] as const) {
      const { status, error } = await bench.ask('POST', '/verify', body)
      assert.deepEqual([status, told.test(error.message)], [400, true], JSON.stringify(body))
    }
  })

  test('finds nothing where all is as it was stored', async () => {
    const { job, of } = await verified()
    assert.deepEqual([job.state, job.result], ['succeeded', { mailboxes: 2, with_findings: 0, failed: 0 }])
    const { verified_at: _at, ...found } = of('adele@example.com')
    assert.deepEqual(found, {
      ...{ email: 'adele@example.com', state: 'ok', message: '', messages: 2, server_messages: 2 },
      ...{ missing_messages: 0, gone_messages: 0, contents: 2, missing_contents: 0, damaged_contents: 0 },
      ...{ unused_objects: 0, compared: 2, differing: 0 },
    })
    assert.deepEqual([of('bob@example.com').state, of('bob@example.com').contents], ['ok', 2])
  })

  test('counts what the server has besides, and what it no longer has', async () => {
    const { mail } = bench.graph
    const added = mail.addMessage(adele.folders[1]!, 'three')
    mail.move(adele.folders[0]!, adele.folders[1]!, message)
    const { of } = await verified({ users: ['ADELE@example.com'], sample: 0 })
    const { state, missing_messages, gone_messages, compared, message: told } = of('adele@example.com')
    assert.deepEqual([state, missing_messages, gone_messages, compared], ['incomplete', 1, 0, 0])
    assert.match(told, /^Messages that are not in the backup: 1\./)
    mail.remove(adele.folders[1]!, added)
  })

  test('finds other bytes on the server', async () => {
    const held = adele.folders[1]!.messages.get(message.id)!
    adele.folders[1]!.messages.set(message.id, { ...held, mime: Buffer.from('other bytes') })
    const { of } = await verified()
    assert.deepEqual([of('adele@example.com').state, of('adele@example.com').differing], ['differs', 1])
    adele.folders[1]!.messages.set(message.id, held)
  })

  test('finds what is missing and what is damaged, here and on S3', async () => {
    const path = fileOf(mimeOf(message))
    writeFileSync(path, 'damaged')
    assert.equal((await verified()).of('adele@example.com').damaged_contents, 1)
    rmSync(path)
    const [key = '', kept] = [...bench.bucket.objects][0] ?? []
    bench.bucket.objects.set(key, { ...kept!, bytes: Buffer.from('damaged') })
    bench.bucket.objects.set('mailbox-backup/bob_at_example.com/00/unused', kept!)
    const damaged = await verified()
    assert.deepEqual(damaged.job.result, { mailboxes: 2, with_findings: 2, failed: 0 })
    const [here, there] = [damaged.of('adele@example.com'), damaged.of('bob@example.com')]
    assert.deepEqual([here.state, here.missing_contents], ['damaged', 1])
    assert.deepEqual([there.state, there.damaged_contents, there.unused_objects], ['damaged', 1, 1])
    bench.bucket.objects.delete(key)
    assert.equal((await verified()).of('bob@example.com').missing_contents, 1)
    bench.bucket.objects.set(key, kept!)
  })

  test('a server that is away fails the verification of its mailboxes, and is no damage', async () => {
    bench.bucket.status = 503
    const { job, of } = await verified()
    assert.deepEqual([job.state, job.result.failed], ['succeeded', 1])
    const { state, message: told, damaged_contents } = of('bob@example.com')
    assert.deepEqual([state, damaged_contents, /503/.test(told)], ['failed', 0, true])
  })

  test('is not ordered twice at once', async () => {
    bench.graph.refusals.push(...Array.from({ length: 4 }, () => 503))
    const { data } = await bench.ask('POST', '/verify', {})
    assert.equal((await bench.ask('POST', '/verify', {})).status, 409)
    await bench.ended(data.job_id)
  })
})
