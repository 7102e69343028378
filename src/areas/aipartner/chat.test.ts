import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { openChats } from './testing/client.ts'
import {
  answerUsually,
  say,
  secret,
  type StandInPartner,
  startPartner,
  trialToken,
} from './testing/partner.ts'

let partner: StandInPartner
let panel: TestPanel
let chats: Awaited<ReturnType<typeof openChats>>
let ada: Person
before(async () => {
  partner = await startPartner()
  panel = await openTestPanel({
    environment: { HOSTREEVE_PARTNER_API_URL: partner.url, HOSTREEVE_PARTNER_SECRET: secret },
  })
  chats = await openChats(panel)
  ada = await panel.person()
})
after(async () => {
  await panel.close()
  await partner.close()
})
beforeEach(async () => {
  partner.onMessage = answerUsually
  partner.received.splice(0)
  partner.trial = { token: trialToken, expires_at: '2099-01-01T00:00:00Z' }
  for (const table of ['partner_trial', 'partner_messages'] as const)
    await panel.store.db.deleteFrom(table).execute()
})

const ask = (method: string, path: string, as: Person = ada) =>
  panel.request(method, `/api/aipartner${path}`, { as })
const activate = async () => assert.equal((await ask('POST', '/activate')).status, 200)
const stored = async (as: Person = ada) =>
  (await ask('GET', '/messages', as)).data.messages.map(({ role, text }: any) => `${role}: ${text}`)
const open = async (as = ada) => {
  const client = await chats.open(as)
  await client.takes('banner', /Welcome/)
  return client
}
const leave = async ({ socket, closed }: Awaited<ReturnType<typeof open>>) => {
  socket.close()
  await closed
}

describe('a chat', () => {
  beforeEach(activate)

  it('passes frames on both ways, and keeps what both have said', async () => {
    const client = await open()
    client.send(' How do I renew a certificate? ')
    await client.takes('typing')
    await client.takes('done', /^You said: How do I renew a certificate\?$/)
    assert.deepEqual(partner.received, [{ type: 'message', text: 'How do I renew a certificate?' }])
    assert.deepEqual(await stored(), [
      'user: How do I renew a certificate?',
      'assistant: You said: How do I renew a certificate?',
    ])
    await leave(client)
    await until(() => partner.chats.size === 0)
  })

  it('keeps a message before it is passed on', async () => {
    let seen: unknown
    partner.onMessage = (chat) => void stored().then((rows) => ((seen = rows), say(chat, { type: 'done' })))
    const client = await open()
    client.send('first')
    await client.takes('done')
    assert.deepEqual(seen, ['user: first'])
    await leave(client)
  })

  it('passes on known frames alone', async () => {
    partner.onMessage = (chat) => {
      chat.send('no JSON')
      chat.send(Buffer.from([1, 2, 3]))
      for (const frame of [{ type: 'order', text: 'x' }, { type: 'done', text: 7 }, [], { text: 'x' }])
        say(chat, frame)
      say(chat, { type: 'error', text: 'out of tokens', retry: 5 })
    }
    const client = await open()
    client.send('hello')
    assert.deepEqual(await client.takes('error'), { type: 'error', text: 'out of tokens', retry: 5 })
    assert.deepEqual(
      client.frames.map(({ type }) => type),
      ['banner', 'error'],
    )
    assert.deepEqual(await stored(), ['user: hello'])
    await leave(client)
  })

  it('tells what is wrong with a frame, and goes on', async () => {
    const client = await open()
    for (const frame of [
      'no JSON',
      '[]',
      '{"type":"message"}',
      '{"type":"message","text":7}',
      '{"type":"message","text":"  "}',
      '{"type":"message","text":"x","role":"assistant"}',
      '{"type":"done","text":"x"}',
      JSON.stringify({ type: 'message', text: 'x'.repeat(16_001) }),
    ]) {
      client.socket.send(frame)
      assert.match((await client.takes('error')).text, /understood|text: must/)
    }
    client.send('x'.repeat(16_000))
    await client.takes('done')
    assert.deepEqual([partner.received.length, (await stored()).length], [1, 2])
    await leave(client)
  })

  it('ends with a binary frame, and with one of 30 MB', async () => {
    const client = await open()
    client.socket.send(Buffer.from('{"type":"message","text":"x"}'))
    assert.deepEqual(await client.closed, [1003, 'Send messages as text'])
    const other = await open()
    other.socket.send(JSON.stringify({ type: 'message', text: 'x'.repeat(30_000_000) }))
    assert.ok([1006, 1009].includes((await other.closed)[0])) // the panel may reset what is still sent
    assert.deepEqual(await stored(), [])
    await until(() => partner.chats.size === 0)
  })

  it('survives a cut connection to the partner: the next message opens another', async () => {
    const client = await open()
    for (const chat of partner.chats) chat.terminate()
    await client.takes('error', /connection to the AI partner was lost/)
    client.send('again')
    await client.takes('banner')
    await client.takes('done', /You said: again/)
    partner.onMessage = (chat) => chat.send('x'.repeat(2_000_000))
    client.send('a frame beyond the limit')
    await client.takes('error', /was lost/)
    partner.onMessage = answerUsually
    client.send('once more')
    await client.takes('done', /once more/)
    await leave(client)
  })

  it('tells in a frame that the partner cannot be reached', async () => {
    await panel.store.db
      .updateTable('partner_trial')
      .set({ socket_url: partner.url.replace(/^http(.*)\/v1$/, 'ws$1/gone') })
      .execute()
    const client = await chats.open(ada)
    assert.match((await client.takes('error')).text, /cannot be reached: .*answered 401/)
    client.send('hello')
    await client.takes('error')
    assert.deepEqual(await stored(), ['user: hello'])
    await leave(client)
  })

  it('is open five times for one user at most', async () => {
    const clients = []
    for (let count = 0; count < 5; count += 1) clients.push(await open())
    assert.deepEqual(await chats.refusal(await chats.tokenOf(ada)), [409, 'conflict'])
    await leave(await open(panel.admin))
    for (const client of clients) await leave(client)
    await until(() => partner.chats.size === 0)
  })

  it('ends with the session that opened it', async () => {
    const leaving = await panel.person()
    const client = await open(leaving)
    assert.equal((await panel.request('POST', '/api/auth/logout', { as: leaving })).status, 200)
    assert.deepEqual(await client.closed, [1008, 'Your session or API key has ended'])
    await until(() => partner.chats.size === 0)
  })
})

describe('a blocked trial', () => {
  it('stays blocked, whatever the partner says later', async () => {
    await activate()
    partner.onMessage = (chat) => {
      say(chat, { type: 'blocked', text: 'The trial was misused' })
      say(chat, { type: 'done', text: 'never mind' })
    }
    const other = await open(panel.admin)
    const client = await open()
    client.send('something')
    await client.takes('blocked')
    await client.takes('done')
    assert.deepEqual(await stored(), [
      'user: something',
      'assistant: The trial was misused',
      'assistant: never mind',
    ])
    for (const each of [client, other]) {
      each.send('please')
      await each.takes('blocked', /misused/)
      assert.deepEqual(await each.closed, [4003, 'The trial is blocked'])
    }
    assert.deepEqual([partner.received.length, (await stored()).length], [1, 3])
    const again = await chats.open(ada)
    await again.takes('blocked', /misused/)
    assert.equal((await again.closed)[0], 4003)
    const { json } = await ask('GET', '/status')
    assert.deepEqual([json.blocked, json.blocked_message], [true, 'The trial was misused'])
    const { status, error } = await ask('POST', '/activate')
    assert.deepEqual([status, error.code], [409, 'already_activated'])
  })
})

describe('who may open a chat', () => {
  it('is refused before the trial is activated, and after it has ended', async () => {
    assert.deepEqual(await chats.refusal(await chats.tokenOf(ada)), [400, 'not_activated'])
    partner.trial = { token: trialToken, expires_at: '2020-01-01T00:00:00Z' }
    await activate()
    assert.deepEqual(await chats.refusal(await chats.tokenOf(ada)), [400, 'not_activated'])
  })

  it('needs a token for this purpose that is fresh, and issued for the caller', async () => {
    await activate()
    const used = await chats.tokenOf(ada)
    await leave(await chats.open(ada, used))
    for (const token of [used, await chats.tokenOf(ada, { purpose: 'ai-tui' }), ada.token, 'x', ''])
      assert.deepEqual(await chats.refusal(token), [401, 'unauthorized'])
    const ofOther = await chats.tokenOf(ada, { purpose: 'partner-chat', uid: panel.admin.id })
    assert.deepEqual(await chats.refusal(ofOther), [403, 'forbidden'])
    await leave(await chats.open(ada, await chats.tokenOf(ada, { purpose: 'partner-chat', uid: ada.id })))
  })

  it('finds a path for sockets only', async () => {
    const { status, error } = await ask('GET', `/chat?token=${await chats.tokenOf(ada)}`)
    assert.deepEqual([status, error.code], [426, 'upgrade_required'])
  })
})
