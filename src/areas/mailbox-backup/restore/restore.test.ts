import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { mimeOf, type StandInMessage, type StandInUser } from '../../../tools/graph/testing/mailboxes.ts'
import { type Bench, openBench } from '../testing/bench.ts'

describe('a restore of messages', () => {
  let bench: Bench
  let adele: StandInUser
  let bob: StandInUser
  let report: StandInMessage
  before(async () => {
    bench = await openBench()
    const { mail } = bench.graph
    adele = mail.addUser('Adele@example.com')
    bob = mail.addUser('bob@example.com')
    for (const subject of ['one', 'two', 'three']) mail.addMessage(adele.folders[0]!, subject)
    const below = mail.addFolder(adele, 'Über', mail.addFolder(adele, 'Projects/2026'))
    const attachment = { name: 'a.txt', contentType: 'text/plain', kind: 'fileAttachment' as const }
    report = mail.addMessage(below, 'Report', [{ ...attachment, data: Buffer.alloc(200_000, 'a') }])
    mail.addMessage(below, null)
    await bench.configure()
    await bench.run()
  })
  beforeEach(() => void (bench.graph.mostImportBytes = Infinity))
  after(() => bench.close())

  const path = '/messages/adele@example.com'
  const messages = async (query = '') => (await bench.ask('GET', `${path}${query}`)).json.messages
  const restored = async (body: object) => {
    const { status, data, json } = await bench.ask('POST', `${path}/restore`, body)
    assert.equal(status, 202, JSON.stringify(json))
    return bench.ended(data.job_id)
  }
  /** The messages of the folders below one at the top. */
  const below = (user: StandInUser, name: string) => {
    const top = user.folders.find(({ displayName, isTop }) => isTop && displayName === name)
    const within = (id: string | undefined): StandInMessage[] =>
      user.folders
        .filter(({ parentFolderId }) => parentFolderId === id)
        .flatMap((folder) => [...folder.messages.values(), ...within(folder.id)])
    return within(top?.id)
  }

  test('puts a message that was deleted into a folder of its own, with the bytes that it had', async () => {
    const folder = adele.folders.at(-1)!
    bench.graph.mail.remove(folder, report)
    await bench.run()
    const [{ id, status }] = await messages('?search=report')
    assert.equal(status, 'deleted')
    const job = await restored({ message_ids: [id, id] })
    assert.deepEqual([job.state, job.result], ['succeeded', { restored: 1, already_there: 0, failed: 0 }])
    const [back, ...others] = below(adele, 'Restored')
    assert.deepEqual([back?.subject, others], ['Report', []])
    assert.ok(mimeOf(back!).equals(mimeOf(report)))
    await bench.run()
    const folders = (await messages('?search=report')).map((each: any) => [each.folder, each.status])
    assert.deepEqual(folders.toSorted(), [
      ['Projects∕2026/Über', 'deleted'],
      ['Restored/Projects∕2026/Über', 'present'],
    ])
  })

  test('restores a folder into the mailbox of somebody else, and leaves out what is there', async () => {
    const order = { folder: 'Inbox', to: 'BOB@example.com', into: 'From Adele/2026' }
    assert.deepEqual((await restored(order)).result, { restored: 3, already_there: 0, failed: 0 })
    const subjects = below(bob, 'From Adele/2026').map(({ subject }) => subject)
    assert.deepEqual(subjects, ['one', 'two', 'three'])
    assert.deepEqual((await restored(order)).result, { restored: 0, already_there: 3, failed: 0 })
    assert.equal(below(bob, 'From Adele/2026').length, 3)
    assert.equal(bob.folders[0]!.messages.size, 0)
  })

  test('restores those alone that were deleted', async () => {
    const [inbox] = adele.folders
    bench.graph.mail.remove(inbox!, [...inbox!.messages.values()][1]!)
    await bench.run()
    const order = { folder: 'Inbox', status: 'deleted', into: 'Deleted ones' }
    assert.equal((await restored(order)).result.restored, 1)
    assert.deepEqual(
      below(adele, 'Deleted ones').map(({ subject }) => subject),
      ['two'],
    )
  })

  test('goes on where one message is refused, and says which', async () => {
    bench.graph.mostImportBytes = 10_000
    const job = await restored({ folder: 'Projects∕2026/Über', into: 'Small ones' })
    assert.deepEqual([job.state, job.result], ['succeeded', { restored: 1, already_there: 0, failed: 1 }])
    const rows = bench.panel.store.db.selectFrom('job_events').selectAll().where('job_id', '=', job.id)
    const lines = (await rows.execute()).map(({ message }) => message)
    assert.ok(
      lines.some((line) => line.startsWith('Report: Microsoft Graph answered 413')),
      lines.join('\n'),
    )
  })

  test('fails for a mailbox that the directory does not have', async () => {
    const job = await restored({ folder: 'Inbox', to: 'nobody@example.com' })
    assert.equal(job.state, 'failed')
    assert.match(job.message, /^to: the directory has no mailbox/)
  })

  test('has a plan, and refuses what it cannot restore, by the field', async () => {
    const plan = await bench.ask('POST', `${path}/restore?plan=1`, { folder: 'Inbox' })
    assert.match(JSON.stringify(plan.json), /3 messages/)
    const [{ id }] = await messages()
    for (const [email, body, status, told] of [
      ['adele@example.com', {}, 400, /^message_ids: name the messages, or a folder/],
      ['adele@example.com', { message_ids: [id], folder: 'Inbox' }, 400, /^message_ids/],
      ['adele@example.com', { message_ids: [] }, 400, /^message_ids: must be a list of 1 to 500/],
      ['adele@example.com', { message_ids: [id], status: 'deleted' }, 400, /^status/],
      ['adele@example.com', { message_ids: ['../1'] }, 404, /^message_ids: there is no message \.\.\/1/],
      ['adele@example.com', { folder: 'inbox' }, 404, /^folder: the backup has no such messages/],
      ['adele@example.com', { folder: 'Inbox', to: 'bob' }, 400, /^to: must be an e-mail address/],
      ['adele@example.com', { folder: 'Inbox', into: '' }, 400, /^into/],
      ['adele@example.com', { folder: 'Inbox', into: ' a' }, 400, /^into: must not begin/],
      ['adele@example.com', { folder: 'Inbox', into: 'a\nb' }, 400, /^into/],
      ['bob@example.com', { message_ids: [id] }, 404, /^message_ids/],
      ['nobody@example.com', { folder: 'Inbox' }, 404, /^email/],
      ['../adele@example.com', { folder: 'Inbox' }, 404, /^email/],
    ] as const) {
      const answer = await bench.ask('POST', `/messages/${encodeURIComponent(email)}/restore`, body)
      assert.equal(answer.status, status, JSON.stringify(body))
      assert.match(answer.error.message, told)
    }
    const tenant = await bench.panel.person({ permissions: ['administrative_operations'] })
    for (const [method, rest] of [
      ['POST', `${path}/restore`],
      ['GET', `${path}/mbox?folder=Inbox`],
      ['POST', '/verify'],
      ['GET', '/verifications'],
    ] as const) {
      const { status } = await bench.panel.request(method, `/api/mailbox-backup${rest}`, { as: tenant })
      assert.equal(status, 403, rest)
    }
  })

  test('a folder is exported as an mbox file, the oldest message first', async () => {
    const { statusCode, headers, rawPayload } = await bench.panel.app.inject({
      url: `/api/mailbox-backup${path}/mbox?folder=${encodeURIComponent('Projects∕2026/Über')}`,
      headers: { authorization: `Bearer ${bench.panel.admin.token}` },
    })
    assert.deepEqual([statusCode, headers['content-type']], [200, 'application/mbox'])
    assert.match(String(headers['content-disposition']), /^attachment; .*_.*\.mbox/)
    const text = rawPayload.toString()
    const postmarks = text.matchAll(/^From dana@example\.org \w{3} \w{3} [ \d]\d [\d:]{8} \d{4}$/gm)
    assert.equal([...postmarks].length, 2)
    assert.ok(text.includes(mimeOf(report).toString().replaceAll('\r\n', '\n')))
    assert.ok(!text.includes('\r'))
    for (const [folder, status] of [
      ['inbox', 404],
      ['', 400],
    ] as const)
      assert.equal((await bench.ask('GET', `${path}/mbox?folder=${folder}`)).status, status)
    assert.equal((await bench.ask('GET', `${path}/mbox`)).status, 400)
  })
})
