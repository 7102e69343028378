import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Person } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { openDoor } from '../terminal/testing/client.ts'
import { standInShells, type StandInShells } from '../terminal/testing/stand-in-shells.ts'
import { type AssistantPanel, openAssistantPanel } from './testing/assistant-panel.ts'

let on: AssistantPanel
let shells: StandInShells
let token: string
before(async () => {
  shells = standInShells()
  on = await openAssistantPanel({ terminals: shells })
  await on.setUp()
  token = on.gateway.token
})
after(() => on.close())
beforeEach(() => {
  Object.assign(on.gateway, { fault: 'none', hasTool: false, reply: ['Hello ', 'Ada'], token })
  on.gateway.methods.clear()
  on.gateway.calls.splice(0)
})

const message = { message: 'Who am I?' }
const stream = async (body: object = message) => {
  const { status, text, error } = await on.ask('POST', '/chat-stream', body)
  const events = text
    .split('\n')
    .flatMap((line: string) => (line.startsWith('data:') ? [JSON.parse(line.slice(5))] : []))
  return { status, code: error?.code, events }
}

describe('a chat with the assistant', () => {
  test('answers with the whole text, in the conversation that is asked for', async () => {
    assert.deepEqual((await on.ask('POST', '/chat', message)).data, { reply: 'Hello Ada' })
    await on.ask('POST', '/chat', { ...message, sessionKey: 'agent:main:second' })
    const keys = on.gateway.calls.map(([, params]) => params['sessionKey'])
    assert.deepEqual(keys, ['agent:main:main', 'agent:main:second'])
  })

  test('tells that there is no reply', async () => {
    on.gateway.reply = []
    assert.deepEqual((await on.ask('POST', '/chat', message)).data, { reply: '(no reply)' })
  })

  test('streams its parts, the tools that it uses, and the whole text', async () => {
    on.gateway.hasTool = true
    const tool = { type: 'tool', name: 'hostreeve__list_websites', is_error: false }
    assert.deepEqual((await stream()).events, [
      { type: 'start' },
      { ...tool, phase: 'start' },
      { ...tool, phase: 'end' },
      { type: 'chunk', content: 'Hello ' },
      { type: 'chunk', content: 'Ada' },
      { type: 'done', content: 'Hello Ada' },
    ])
  })

  test('names the stage at which the gateway failed', async () => {
    const cases = [
      ['no challenge', 'challenge_failed'],
      ['binary', 'challenge_failed'],
      ['not JSON', 'challenge_failed'],
      ['huge frame', 'challenge_failed'],
      ['chat before the sign-in', 'challenge_failed'],
      ['close at the sign-in', 'auth_failed'],
      ['starting', 'gateway_unavailable'],
    ] as const
    for (const [fault, code] of cases) {
      on.gateway.fault = fault
      const found = await stream()
      assert.deepEqual([found.status, found.code], [503, code], fault)
      const { status, error } = await on.ask('POST', '/chat', message)
      assert.deepEqual([status, error.code], [503, 'gateway_error'], fault)
    }
    Object.assign(on.gateway, { fault: 'none', token: 'another token' })
    assert.equal((await stream()).code, 'auth_rejected')
  })

  test('tells of a failure after the start in an event', async () => {
    for (const [fault, text] of [
      ['breaks off', /service restart/],
      ['model fails', /401 bad key/],
    ] as const) {
      on.gateway.fault = fault
      const { status, events } = await stream()
      assert.deepEqual([status, events.at(-1).type], [200, 'error'])
      assert.match(events.at(-1).message, text)
      assert.deepEqual((await on.failureOf('POST', '/chat', message)).slice(0, 2), [503, 'gateway_error'])
    }
  })

  test('refuses messages and conversations that are none', async () => {
    for (const body of [
      {},
      { message: '' },
      { message: ' \n' },
      { message: 7 },
      { message: 'x'.repeat(100_001) },
      { ...message, sessionKey: 'agent:..:main' },
      { ...message, sessionKey: '../x' },
      { ...message, sessionKey: '' },
      { ...message, sessionKey: 'a b' },
    ])
      for (const path of ['/chat', '/chat-stream'])
        assert.deepEqual((await on.failureOf('POST', path, body)).slice(0, 2), [400, 'bad_request'])
    assert.equal((await on.ask('GET', '/chat/poll?sessionKey=a..b')).status, 400)
    assert.deepEqual(on.gateway.calls, [])
  })

  test('is not configured without a token, and is polled all the same', async () => {
    const config = on.config()
    const { token: _token, ...auth } = config.gateway.auth
    on.write(
      '/etc/hostreeve-assistant/openclaw.json',
      JSON.stringify({ ...config, gateway: { ...config.gateway, auth } }),
    )
    assert.equal((await stream()).code, 'ai_not_configured')
    assert.deepEqual((await on.ask('GET', '/chat/poll')).data, {
      status: 'not_configured',
      lastReply: '',
      timestamp: null,
    })
    on.write('/etc/hostreeve-assistant/openclaw.json', JSON.stringify(config))
  })

  test('is polled for its last answer', async () => {
    const answer = {
      role: 'assistant',
      content: [{ type: 'text', text: 'Done.' }],
      timestamp: 1_795_318_523_440,
    }
    on.gateway.methods.set('chat.history', () => ({ messages: [{ role: 'user', content: 'x' }, answer] }))
    const { data } = await on.ask('GET', '/chat/poll')
    assert.deepEqual(data, {
      status: 'ok',
      lastReply: 'Done.',
      timestamp: new Date(1_795_318_523_440).toISOString(),
    })
    on.gateway.methods.set('chat.history', () => ({ messages: [] }))
    assert.equal((await on.ask('GET', '/chat/poll')).data.lastReply, '')
    on.gateway.fault = 'no challenge'
    const failed = await on.ask('GET', '/chat/poll')
    assert.deepEqual(
      [failed.status, failed.data.status, /no challenge/.test(failed.data.error)],
      [200, 'error', true],
    )
  })

  test('has conversations, which are listed and emptied', async () => {
    on.gateway.methods.set('sessions.list', () => ({
      sessions: [
        { key: 'agent:main:old', updatedAt: 1 },
        { key: 'agent:main:main', label: 'Main', updatedAt: 2 },
        { key: 7 },
      ],
    }))
    const { data } = await on.ask('GET', '/sessions')
    assert.deepEqual(
      data.sessions.map(({ session, title }: any) => [session, title]),
      [
        ['agent:main:main', 'Main'],
        ['agent:main:old', 'agent:main:old'],
      ],
    )
    on.gateway.methods.set('sessions.reset', () => ({}))
    assert.equal((await on.ask('POST', '/sessions/reset', {})).status, 200)
    assert.deepEqual(on.gateway.calls.at(-1), ['sessions.reset', { key: 'agent:main:main' }])
    on.gateway.methods.clear()
    assert.deepEqual((await on.failureOf('GET', '/sessions')).slice(0, 2), [503, 'gateway_error'])
  })
})

describe('the text console of the assistant', () => {
  const path = '/api/ai/tui'
  let door: Awaited<ReturnType<typeof openDoor>>
  before(async () => {
    door = await openDoor(on.panel)
  })
  const tokenOf = (as: Person, use: object = {}) => door.tokenOf(as, { purpose: 'ai-tui', ...use })

  test('runs under the account of the assistant, and ends with its connection', async () => {
    const client = await door.openAt(path, await tokenOf(on.keeper))
    const own = await until(() => shells.opened.at(-1))
    assert.equal(own.username, 'ai')
    client.type('hello\r')
    await until(() => own.typed.length > 0)
    client.socket.terminate()
    await until(() => own.endedBy !== undefined)
    const again = await door.openAt(path, await tokenOf(on.keeper))
    shells.opened.at(-1)?.exit(0)
    assert.deepEqual(await again.closed, [1000, ''])
  })

  test('needs a token of the purpose, of the same user, and the permission', async () => {
    const plain = await on.panel.person()
    const used = await tokenOf(on.keeper)
    const client = await door.openAt(path, used)
    shells.opened.at(-1)?.exit(0)
    await client.closed
    for (const given of [
      used,
      '',
      await door.tokenOf(on.keeper, { purpose: 'partner-chat' }),
      on.keeper.token,
    ])
      assert.deepEqual(await door.refusalAt(path, given), [401, 'unauthorized'])
    assert.deepEqual(await door.refusalAt(path, await tokenOf(plain)), [403, 'forbidden'])
    const ofAnother = await tokenOf(on.panel.admin, { uid: on.keeper.id })
    assert.deepEqual(await door.refusalAt(path, ofAnother), [403, 'forbidden'])
  })

  test('is 503 where no terminal can be opened', async () => {
    shells.problem = 'The panel does not run as root'
    assert.deepEqual(await door.refusalAt(path, await tokenOf(on.keeper)), [503, 'unavailable'])
    shells.problem = undefined
  })
})
