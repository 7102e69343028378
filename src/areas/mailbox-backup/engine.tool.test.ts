import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { after, before, beforeEach, describe, test } from 'node:test'
import { openTestPanel } from '../../../test/support/panel.ts'
import { hangMs, until } from '../../../test/support/until.ts'
import { overStates } from '../../jobs/tables.ts'
import { mimeOf, type StandInMessage, type StandInUser } from '../../tools/graph/testing/mailboxes.ts'
import { type Bench, openBench, s3Of } from './testing/bench.ts'
import { addFilledMailbox } from './testing/filled-mailboxes.ts'

const addresses = ['adele@example.com', 'bob@example.com', 'carol@example.com']

/** What the server has of a mailbox, by subject and folder. */
const onServer = ({ folders }: StandInUser) =>
  folders.flatMap(({ messages }) => [...messages.values()].map(({ subject }) => subject ?? '')).toSorted()

describe('a backup of mailboxes', () => {
  let bench: Bench
  let users: StandInUser[]
  before(async () => {
    bench = await openBench({ programs: ['gpg', 'gpgconf'] })
    users = addresses.map((address) => addFilledMailbox(bench.graph.mail, address))
    await bench.configure()
  })
  beforeEach(() => {
    bench.bucket.status = undefined
    bench.graph.forgetsDeltas = false
    bench.graph.relink = undefined
    bench.graph.isEndless = false
  })
  after(() => bench.close())
  const stored = async (address: string) => {
    const found: any[] = []
    for (let page = 1; ; page += 1) {
      const { json } = await bench.ask('GET', `/messages/${address}?page=${page}`)
      found.push(...json.messages)
      if (json.messages.length === 0) return found
    }
  }
  const present = async (address: string) =>
    (await stored(address))
      .filter(({ status }) => status === 'present')
      .map(({ subject }) => subject)
      .toSorted()
  const bytesOf = async (path: string) => {
    const { statusCode, rawPayload } = await bench.panel.app.inject({
      url: `/api/mailbox-backup${path}`,
      headers: { authorization: `Bearer ${bench.panel.admin.token}` },
    })
    assert.equal(statusCode, 200, path)
    return rawPayload
  }
  const assertSame = async () => {
    for (const [index, address] of addresses.entries())
      assert.deepEqual(await present(address), onServer(users[index]!))
  }
  const idOf = async (address: string, subject: string) =>
    (await stored(address)).find((each) => each.subject === subject)?.id

  test('has every message of three mailboxes once, with its bytes and attachments', async () => {
    const job = await bench.run()
    assert.deepEqual([job.state, job.result], ['succeeded', { mailboxes: 3, failed: 0, new_messages: 300 }])
    await assertSame()
    for (const user of users) {
      const ids = new Map((await stored(user.address)).map(({ subject, id }) => [subject, id]))
      for (const { messages } of user.folders)
        for (const message of messages.values()) {
          assert.equal(bench.graph.fetchedOf(message.id), 1)
          const id = ids.get(message.subject ?? '')
          assert.ok((await bytesOf(`/messages/${user.address}/${id}/download`)).equals(mimeOf(message)))
          if (message.attachments.length === 0) continue
          const { json } = await bench.ask('GET', `/messages/${user.address}/${id}/attachments`)
          for (const [index, { data }] of message.attachments.entries())
            assert.ok(
              (await bytesOf(`/attachment/${user.address}/${json.attachments[index].id}`)).equals(data),
            )
        }
    }
    const { data } = await bench.ask('GET', '/status')
    assert.deepEqual([data.runs[0].state, data.runs[0].new_messages], ['ok', 300])
  })

  test('follows moves, deletions and changes in two rounds, and fetches nothing twice for them', async () => {
    const { mail } = bench.graph
    const [adele, bob] = users as [StandInUser, StandInUser]
    const [inbox, sent] = adele.folders
    const messages = [...inbox!.messages.values()]
    mail.move(inbox!, sent!, messages[0]!)
    mail.remove(inbox!, messages[1]!)
    mail.change(messages[2]!, { isRead: true })
    mail.change(messages[3]!, { subject: 'Another subject' })
    mail.addMessage(bob.folders[0]!, 'New')
    assert.equal((await bench.run()).result.new_messages, 2)
    await assertSame()
    const found = await stored('adele@example.com')
    const of = (subject: string | null) => found.find((each) => each.subject === subject)
    assert.deepEqual(
      [of(messages[0]!.subject).folder, of(messages[0]!.subject).status],
      ['Sent Items', 'present'],
    )
    assert.equal(of(messages[1]!.subject).status, 'deleted')
    assert.equal(of(messages[2]!.subject).is_read, true)
    assert.ok(of(messages[2]!.subject).from_email !== '') // only that it was read was told
    assert.deepEqual(
      messages.slice(0, 4).map(({ id }) => bench.graph.fetchedOf(id)),
      [1, 1, 1, 2],
    )
    mail.move(sent!, inbox!, messages[0]!)
    await bench.run()
    await assertSame()
    assert.equal(bench.graph.fetchedOf(messages[0]!.id), 1)
  })

  test('reads a folder as a whole again where the server has forgotten the round, and finds what was deleted', async () => {
    const [, bob] = users as [StandInUser, StandInUser]
    const inbox = bob.folders[0]!
    const gone = [...inbox.messages.values()][5]!
    inbox.messages.delete(gone.id) // without a trace in later rounds
    bench.graph.forgetsDeltas = true
    const { result } = await bench.run({ users: ['bob@example.com'] })
    assert.equal(result.new_messages, 0)
    await assertSame()
  })

  test('goes on through storms of 429 and 503', async () => {
    const [, , carol] = users as [StandInUser, StandInUser, StandInUser]
    for (let index = 0; index < 5; index += 1)
      bench.graph.mail.addMessage(carol.folders[0]!, `Storm ${index}`)
    bench.graph.refusals.push(...Array.from({ length: 8 }, (_, index) => (index % 2 ? 503 : 429)))
    assert.equal((await bench.run()).result.new_messages, 5)
    await assertSame()
  })

  test('a mailbox that fails does not stop the others, and says why', async () => {
    bench.graph.relink = (link) =>
      link.includes(`/users/${users[0]!.id}/`) ? link.replace('127.0.0.1', 'localhost') : link
    const { state, result } = await bench.run()
    assert.deepEqual([state, result.failed, result.mailboxes], ['succeeded', 1, 3])
    const { data } = await bench.ask('GET', '/users')
    const [adele, bob] = data.users
    assert.deepEqual([adele.state, bob.state], ['failed', 'ok'])
    assert.match(adele.message, /a link to another server: http:\/\/localhost/)
  })

  test('refuses a list that has no end', async () => {
    bench.graph.mail.addFolder(users[0]!, 'A fourth folder') // a second part of the list
    bench.graph.relink = (link) => link.replace(/(?:\$|%24)skip=\d+/, '$skip=0')
    await bench.run({ users: ['adele@example.com'] })
    const { data } = await bench.ask('GET', '/users')
    assert.match(data.users[0].message, /a list that has no end/)
  })

  test('refuses changes of a folder that have no end, with links that differ', async () => {
    const { mail } = bench.graph
    const user = mail.addUser('dan@example.com')
    mail.addMessage(user.folders[0]!, 'Again and again')
    bench.graph.isEndless = true
    const before = bench.graph.requests.length
    const { state, result } = await bench.run({ users: ['dan@example.com'] })
    assert.deepEqual([state, result.failed, result.new_messages], ['succeeded', 1, 1])
    const { data } = await bench.ask('GET', '/users')
    assert.match(data.users.at(-1).message, /sends changes of the folder Inbox without an end/)
    assert.ok(bench.graph.requests.length - before < 1100)
    bench.graph.isEndless = false
    assert.equal((await bench.run({ users: ['dan@example.com'] })).result.failed, 0)
    mail.users.pop()
  })

  test('leaves out a message that the server cannot send, says so, and fetches it in a later run', async () => {
    const { mail, unsendable } = bench.graph
    const [, bob] = users as [StandInUser, StandInUser]
    const [inbox] = bob.folders
    const attachment = { name: 'a.txt', contentType: 'text/plain', kind: 'fileAttachment' as const }
    const broken = mail.addMessage(inbox!, 'Broken', [{ ...attachment, data: Buffer.from('a') }])
    const gone = mail.addMessage(inbox!, 'Broken, and then deleted')
    for (const { id } of [broken, gone]) unsendable.set(id, 501)
    mail.addMessage(inbox!, 'Behind it')
    assert.equal((await bench.run({ users: ['bob@example.com'] })).result.new_messages, 1)
    const told = async () => (await bench.ask('GET', '/users')).data.users[1]
    const { state, message } = await told()
    assert.equal(state, 'ok')
    assert.match(message, /and that are left out: 2\. .*501: ErrorMimeContentConversionFailed/)
    assert.ok((await present('bob@example.com')).includes('Behind it'))
    const { lines } = (await bench.ask('GET', '/logs')).data
    assert.ok(
      lines.some((line: string) => line.includes('bob@example.com: Messages that the server cannot send')),
    )
    unsendable.clear()
    mail.remove(inbox!, gone)
    assert.equal((await bench.run({ users: ['bob@example.com'] })).result.new_messages, 1)
    await assertSame()
    assert.equal((await told()).message, '')
    const path = `/messages/bob@example.com/${await idOf('bob@example.com', 'Broken')}/download`
    assert.ok((await bytesOf(path)).equals(mimeOf(broken)))
  })

  test('fails a mailbox of which the server can send nothing', async () => {
    const { mail, unsendable } = bench.graph
    const user = mail.addUser('erin@example.com')
    const messages = Array.from({ length: 101 }, (_, index) => mail.addMessage(user.folders[0]!, `${index}`))
    for (const { id } of messages) unsendable.set(id, 501)
    const { result } = await bench.run({ users: ['erin@example.com'] })
    assert.deepEqual([result.failed, result.new_messages], [1, 0])
    unsendable.clear()
    assert.equal((await bench.run({ users: ['erin@example.com'] })).result.new_messages, 101)
    mail.users.pop()
  })

  test('stores attachments on S3, encrypted, and waits while it is away', async () => {
    const of = { as: bench.panel.admin }
    await bench.panel.request('POST', '/api/settings/backup/generate-key', of)
    await bench.configure({ ...s3Of(bench.bucket), attachment_storage: 's3', s3_encrypt: true })
    const data = Buffer.from('the content of a secret file')
    const message = bench.graph.mail.addMessage(users[0]!.folders[0]!, 'On S3', [
      { name: 'a.txt', contentType: 'text/plain', kind: 'fileAttachment', data },
    ])
    bench.bucket.status = 503
    const { data: begun } = await bench.ask('POST', '/run', { users: ['adele@example.com'] })
    await until(() => bench.graph.fetchedOf(message.id) > 0)
    bench.bucket.status = undefined
    assert.equal((await bench.ended(begun.job_id)).result.failed, 0)
    assert.equal(bench.graph.fetchedOf(message.id), 1)
    assert.equal(bench.bucket.objects.size, 2)
    for (const [key, { bytes }] of bench.bucket.objects) {
      assert.match(key, /^mailbox-backup\/adele_at_example\.com\/..\/[0-9a-f]{64}\.gpg$/)
      assert.ok(!bytes.includes(data))
    }
    const id = await idOf('adele@example.com', 'On S3')
    const { json } = await bench.ask('GET', `/messages/adele@example.com/${id}/attachments`)
    assert.match(json.attachments[0].s3_key, /\.gpg$/)
    assert.deepEqual(await bytesOf(`/attachment/adele@example.com/${json.attachments[0].id}`), data)
    assert.deepEqual(await bytesOf(`/messages/adele@example.com/${id}/download`), mimeOf(message))
    bench.bucket.objects.clear()
    const { status, error } = await bench.ask(
      'GET',
      `/attachment/adele@example.com/${json.attachments[0].id}`,
    )
    assert.deepEqual([status, /there is no object/.test(error.message)], [500, true])
    await bench.configure({ attachment_storage: 'local', s3_encrypt: false })
  })

  test('forgets deleted messages after the days that they are kept, with what only they contained', async () => {
    const { db } = bench.panel.store
    const [, bob] = users as [StandInUser, StandInUser]
    const [inbox] = bob.folders
    const shared = { name: 'a', contentType: 'text/plain', kind: 'fileAttachment' as const }
    const [kept, gone] = [Buffer.from('in two messages'), Buffer.from('in one message')]
    const first = bench.graph.mail.addMessage(inbox!, 'To be forgotten', [
      { ...shared, data: kept },
      { ...shared, data: gone },
    ])
    bench.graph.mail.addMessage(inbox!, 'To be kept', [{ ...shared, data: kept }])
    await bench.run()
    bench.graph.mail.remove(inbox!, first)
    const folder = `${bench.panel.root}/mailbox-backup/bob_at_example.com/content`
    const isStored = (data: Buffer) => {
      const hash = createHash('sha256').update(data).digest('hex')
      return existsSync(`${folder}/${hash.slice(0, 2)}/${hash}`)
    }
    assert.deepEqual([kept, gone].map(isStored), [true, true])
    await db.updateTable('mailbox_settings').set({ retention_days: -1 }).execute()
    assert.equal((await bench.run()).state, 'succeeded')
    for (const address of addresses)
      assert.ok((await stored(address)).every(({ status }) => status === 'present'))
    assert.deepEqual([kept, gone].map(isStored), [true, false])
    await assertSame()
  })

  test('never runs twice at once, and is cancelled cleanly', async () => {
    const waiting: StandInMessage[] = []
    for (let index = 0; index < 40; index += 1)
      waiting.push(bench.graph.mail.addMessage(users[1]!.folders[0]!, `Cancelled ${index}`))
    bench.graph.refusals.push(...Array.from({ length: 6 }, () => 503))
    const { data } = await bench.ask('POST', '/run', {})
    const again = await bench.ask('POST', '/run', {})
    assert.equal(again.status, 409)
    assert.equal((await bench.ask('GET', '/status')).data.job_id, data.job_id)
    const as = { as: bench.panel.admin }
    assert.ok((await bench.panel.request('POST', `/api/jobs/${data.job_id}/cancel`, as)).status < 300)
    const { state } = await bench.ended(data.job_id)
    assert.ok(['cancelled', 'succeeded'].includes(state))
    const { users: after } = (await bench.ask('GET', '/users')).data
    for (const each of after) {
      assert.ok(!['waiting', 'running'].includes(each.state), each.email)
      if (each.state === 'failed') assert.equal(each.message, 'The run was cancelled')
    }
    bench.graph.refusals.length = 0
    await bench.run()
    await assertSame()
    for (const { id } of waiting) assert.ok(bench.graph.fetchedOf(id) <= 2)
  })
})

describe('a backup of mailboxes in a panel that is killed', () => {
  test('goes on at the next start, and fetches no message more than twice', async (t) => {
    const [dataDir, root] = [
      mkdtempSync(`${tmpdir()}/mailbox-data-`),
      mkdtempSync(`${tmpdir()}/mailbox-root-`),
    ]
    t.after(() => [dataDir, root].forEach((folder) => rmSync(folder, { recursive: true, force: true })))
    const bench = await openBench({ dataDir, root })
    const user = addFilledMailbox(bench.graph.mail, 'adele@example.com')
    await bench.configure()
    await bench.panel.close()
    const script = new URL('testing/killed-run.ts', import.meta.url).pathname
    const child = spawn(process.execPath, [script, dataDir, root, bench.graph.url], { stdio: 'ignore' })
    const messages = user.folders.flatMap((folder) => [...folder.messages.values()])
    const fetched = () => messages.filter(({ id }) => bench.graph.fetchedOf(id) > 0).length
    await until(() => fetched() >= 20)
    child.kill('SIGKILL')
    await once(child, 'exit')
    assert.ok(fetched() < messages.length)
    const environment = {
      HOSTREEVE_FEATURES: 'mailbox_backup',
      HOSTREEVE_GRAPH_URL: bench.graph.url,
      HOSTREEVE_GRAPH_LOGIN_URL: bench.graph.url,
    }
    const panel = await openTestPanel({ dataDir, root, environment })
    await panel.start()
    const row = () => panel.store.db.selectFrom('jobs').selectAll().where('kind', '=', 'mailbox-backup.run')
    const isOver = async () => {
      const found = await row().executeTakeFirstOrThrow()
      return overStates.has(found.state) && found
    }
    const { state } = await until(isOver, { limitMs: 5 * hangMs })
    const as = { as: panel.admin }
    const { json } = await panel.request('GET', '/api/mailbox-backup/messages/adele@example.com', as)
    await panel.close()
    await Promise.all([bench.graph.close(), bench.bucket.close()])
    assert.deepEqual([state, json.total], ['succeeded', messages.length])
    for (const { id } of messages) assert.ok(bench.graph.fetchedOf(id) <= 2)
  })
})
