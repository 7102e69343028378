import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from 'kysely'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { keepMessage } from './store.ts'
import { secret, type StandInPartner, startPartner, trialToken } from './testing/partner.ts'

let partner: StandInPartner
let panel: TestPanel
let ada: Person
let keeper: Person
before(async () => {
  partner = await startPartner()
  panel = await openTestPanel({
    environment: { HOSTREEVE_PARTNER_API_URL: partner.url, HOSTREEVE_PARTNER_SECRET: secret },
  })
  ada = await panel.person()
  keeper = await panel.person({ permissions: ['administrative_operations'] })
})
after(async () => {
  await panel.close()
  await partner.close()
})
const usual = { token: trialToken, expires_at: '2099-01-01T00:00:00.000Z', reused: false }
beforeEach(async () => {
  partner.asked.splice(0)
  partner.instead = () => false
  partner.trial = usual
  partner.bot = {}
  for (const table of ['partner_trial', 'partner_messages', 'partner_channel', 'partner_gateway'] as const)
    await panel.store.db.deleteFrom(table).execute()
})

const ask = (method: string, path: string, body?: unknown, as: Person = ada) =>
  panel.request(method, `/api/aipartner${path}`, { as, ...(body !== undefined && { body }) })
const activate = async () => {
  const answer = await ask('POST', '/activate')
  assert.equal(answer.status, 200, answer.text)
  return answer.data
}
const shown = ({ status, error }: { readonly status: number; readonly error: { readonly code: string } }) => [
  status,
  error.code,
]
const refusing = (line: string, status: number, body = '{}') => {
  partner.instead = (asked, reply) => {
    if (asked.line !== line) return false
    reply.writeHead(status).end(body)
    return true
  }
}
const withoutTable = async <Value>(table: string, work: () => Promise<Value>): Promise<Value> => {
  await sql.raw(`alter table ${table} rename to away`).execute(panel.store.db)
  try {
    return await work()
  } finally {
    await sql.raw(`alter table away rename to ${table}`).execute(panel.store.db)
  }
}

describe('the trial', () => {
  it('is activated with a digest of the licence, and its token is sealed', async () => {
    assert.deepEqual(await activate(), { activated: true, expires_at: usual.expires_at, reused: false })
    const [{ bearer, body } = assert.fail()] = partner.asked
    assert.equal(bearer, secret)
    assert.match(body.licence_id, /^[0-9a-f]{64}$/)
    assert.match(body.system_prompt, new RegExp(`administer ${body.hostname.replaceAll('.', '\\.')}`))
    const row = await panel.store.db.selectFrom('partner_trial').selectAll().executeTakeFirstOrThrow()
    assert.ok(!row.sealed_token.includes(trialToken))
    assert.equal(panel.store.unseal(row.sealed_token), trialToken)
    assert.equal(row.socket_url, `${partner.url.replace('http', 'ws')}/chat`)
  })

  it('is activated once, also when it has ended or is blocked', async () => {
    partner.trial = { ...usual, expires_at: '2020-01-01T00:00:00Z', blocked: true, blocked_message: 'Abuse' }
    await activate()
    const { status, error } = await ask('POST', '/activate')
    assert.deepEqual([status, error.code], [409, 'already_activated'])
    const { trial } = error as { readonly trial?: Record<string, unknown> }
    assert.deepEqual([trial?.['expires_at'], trial?.['blocked']], ['2020-01-01T00:00:00.000Z', true])
    assert.equal(partner.asked.length, 1)
    const { json } = await ask('GET', '/status')
    assert.deepEqual([json.blocked, json.blocked_message, json.days_left], [true, 'Abuse', 0])
  })

  it('is activated once, where two ask for it at once', async () => {
    const answers = await Promise.all([ask('POST', '/activate'), ask('POST', '/activate')])
    assert.deepEqual(answers.map((each) => each.status).toSorted(), [200, 409])
    assert.deepEqual(answers.filter((each) => each.status === 409).map(shown), [[409, 'already_activated']])
    assert.equal(partner.asked.length, 1)
  })

  it('says that the partner knew the licence', async () => {
    partner.trial = { ...usual, reused: true }
    assert.equal((await activate()).reused, true)
  })

  it('has a status before and after it is activated', async () => {
    const before = await ask('GET', '/status')
    assert.deepEqual([before.status, before.json], [200, { build_ok: true, activated: false }])
    await activate()
    const { json } = await ask('GET', '/status')
    const { activated_at, days_left, ...rest } = json
    assert.deepEqual(rest, {
      build_ok: true,
      activated: true,
      expires_at: usual.expires_at,
      blocked: false,
      channel_a: { connected: false },
    })
    assert.ok(days_left > 0)
    assert.ok(Date.parse(activated_at) > 0)
  })

  it('names what the partner did', async () => {
    const line = 'POST /v1/trials'
    for (const status of [401, 403]) {
      refusing(line, status)
      assert.deepEqual(shown(await ask('POST', '/activate')), [502, 'partner_secret_rejected'])
    }
    for (const status of [400, 404, 429, 500, 302]) {
      refusing(line, status, '{"message":"not today"}')
      const answer = await ask('POST', '/activate')
      assert.deepEqual(shown(answer), [502, 'partner_error'])
      assert.match(answer.error.message, /not today/)
    }
    for (const body of [
      'no JSON',
      '{}',
      '[]',
      JSON.stringify({ ...usual, socket_url: 'http://x' }),
      JSON.stringify({ ...usual, socket_url: 'ws://x/', expires_at: 'soon' }),
      JSON.stringify({ ...usual, socket_url: 'ws://x/', token: 'two words' }),
    ]) {
      refusing(line, 200, body)
      assert.deepEqual(shown(await ask('POST', '/activate')), [502, 'partner_error'], body)
    }
    partner.instead = (_asked, reply) => Boolean(reply.destroy())
    assert.deepEqual(shown(await ask('POST', '/activate')), [502, 'partner_unreachable'])
    assert.deepEqual((await ask('GET', '/status')).json, { build_ok: true, activated: false })
  })

  it('never shows the secret that the partner repeats', async () => {
    refusing('POST /v1/trials', 401, JSON.stringify({ message: `${secret} is unknown` }))
    const { text } = await ask('POST', '/activate')
    assert.doesNotMatch(text, new RegExp(secret))
    assert.match(text, /•••••••• is unknown/)
  })

  it('answers a store that fails', async () => {
    const saved = await withoutTable('partner_trial', () => ask('GET', '/status'))
    assert.deepEqual(shown(saved), [500, 'server_error'])
    const activated = await withoutTable('partner_trial', () => ask('POST', '/activate'))
    assert.deepEqual(shown(activated), [500, 'save_failed'])
  })

  it('needs a user', async () => {
    for (const [method, path] of [
      ['POST', '/activate'],
      ['GET', '/status'],
      ['GET', '/messages'],
      ['DELETE', '/messages'],
      ['GET', '/channel-a'],
      ['POST', '/channel-a'],
      ['PATCH', '/channel-a'],
      ['DELETE', '/channel-a'],
    ] as const)
      assert.equal((await panel.request(method, `/api/aipartner${path}`)).status, 401, `${method} ${path}`)
  })
})

describe('a build without a partner', () => {
  it('says so', async () => {
    const bare = await openTestPanel({ environment: { HOSTREEVE_PARTNER_API_URL: partner.url } })
    try {
      const asAdmin = { as: bare.admin }
      const { status, error } = await bare.request('POST', '/api/aipartner/activate', asAdmin)
      assert.deepEqual([status, error.code], [500, 'build_misconfigured'])
      const { json } = await bare.request('GET', '/api/aipartner/status', asAdmin)
      assert.deepEqual(json, { build_ok: false, activated: false })
      assert.equal(partner.asked.length, 0)
    } finally {
      await bare.close()
    }
  })
})

describe('messages', () => {
  const keep = (userId: number, text: string) => keepMessage(panel.store, { userId, role: 'user', text })
  const texts = async (as: Person) => (await ask('GET', '/messages', undefined, as)).data.messages

  it('are those of the caller, the last 200, the oldest first', async () => {
    await keep(keeper.id, 'of another user')
    for (let count = 1; count <= 203; count += 1) await keep(ada.id, `message ${count}`)
    const own = await texts(ada)
    assert.deepEqual([own.length, own[0].text, own[199].text], [200, 'message 4', 'message 203'])
    assert.deepEqual(Object.keys(own[0]).toSorted(), ['created_at', 'id', 'role', 'text'])
    assert.deepEqual(
      (await texts(keeper)).map((each: any) => each.text),
      ['of another user'],
    )
    const { count } = await panel.store.db
      .selectFrom('partner_messages')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    assert.equal(count, 201)
  })

  it('are cleared for the caller alone', async () => {
    await keep(keeper.id, 'stays')
    await keep(ada.id, 'goes')
    const { status, data } = await ask('DELETE', '/messages')
    assert.deepEqual([status, data], [200, { cleared: true }])
    assert.deepEqual([(await texts(ada)).length, (await texts(keeper)).length], [0, 1])
    assert.equal((await ask('DELETE', '/messages')).status, 200)
  })

  it('answer a store that fails', async () => {
    const read = await withoutTable('partner_messages', () => ask('GET', '/messages'))
    const cleared = await withoutTable('partner_messages', () => ask('DELETE', '/messages'))
    assert.deepEqual(
      [shown(read), shown(cleared)],
      [
        [500, 'server_error'],
        [500, 'server_error'],
      ],
    )
  })
})

describe('the bot', () => {
  const channel = '/channel-a'
  const token = '1234567:the-token-of-the-bot'
  const save = (body: object, method = 'POST') => ask(method, channel, body, keeper)

  it('is not connected without a trial', async () => {
    const { status, data } = await ask('GET', channel)
    assert.deepEqual([status, data], [200, { connected: false, source: 'none' }])
    for (const method of ['POST', 'PATCH'])
      assert.deepEqual(shown(await save({ channel_token: token }, method)), [400, 'not_activated'])
    const removed = await save({}, 'DELETE')
    assert.deepEqual([removed.status, removed.data], [200, { connected: false }])
    assert.equal(partner.asked.length, 0)
  })

  it('is configured at the partner, with its token masked in every answer', async () => {
    await activate()
    const { status, data, text } = await save({ channel_token: token, allowed_users: ['7', '8'] })
    assert.equal(status, 200, text)
    const wanted = {
      connected: true,
      source: 'trial',
      enabled: true,
      channel_token: '1234••••••••-bot',
      allowed_users: ['7', '8'],
      allowed_user_ids: ['7', '8'],
      allowed_groups: [],
      admin_users: [],
      mention_only: false,
      bot_username: 'hostreeve_bot',
    }
    assert.deepEqual(data, wanted)
    assert.deepEqual((await ask('GET', channel)).data, wanted)
    assert.equal(partner.bot['channel_token'], token)
    assert.ok(partner.asked.slice(1).every(({ bearer }) => bearer === trialToken))
    const { json } = await ask('GET', '/status')
    assert.deepEqual(json.channel_a, { connected: true, bot_username: 'hostreeve_bot', enabled: true })
  })

  it('keeps what an edit leaves out, and its token where it comes back masked', async () => {
    await activate()
    await save({ channel_token: token, allowed_groups: ['-5'] })
    const { status } = await save({ channel_token: '1234••••••••-bot', enabled: false }, 'PATCH')
    assert.equal(status, 200)
    const { channel_token, enabled, allowed_groups } = partner.bot
    assert.deepEqual([channel_token, enabled, allowed_groups], [token, false, ['-5']])
    assert.equal((await ask('GET', '/status')).json.channel_a.enabled, false)
    await save({ channel_token: token, allowed_user_ids: ['9'] })
    assert.deepEqual([partner.bot['allowed_groups'], partner.bot['allowed_users']], [[], ['9']])
  })

  it('is disabled with an empty token, and forgotten', async () => {
    await activate()
    await save({ channel_token: token })
    const { status, data } = await save({}, 'DELETE')
    assert.deepEqual([status, data], [200, { connected: false }])
    assert.deepEqual(partner.asked.at(-1)?.body, { channel_token: '' })
    assert.deepEqual((await ask('GET', '/status')).json.channel_a, { connected: false })
    assert.equal((await ask('GET', channel)).data.connected, false)
  })

  it('refuses what is no configuration', async () => {
    await activate()
    const many = Array.from({ length: 501 }, () => '1')
    for (const body of [
      {},
      { channel_token: '' },
      { channel_token: 'two words' },
      { channel_token: 'x'.repeat(301) },
      { channel_token: 7 },
      { channel_token: token, allowed_users: '7' },
      { channel_token: token, allowed_users: [''] },
      { channel_token: token, allowed_users: many },
      { channel_token: token, enabled: 'yes' },
    ])
      assert.deepEqual(shown(await save(body)), [400, 'bad_request'], JSON.stringify(body).slice(0, 80))
    assert.equal(partner.asked.length, 1)
  })

  it('is changed by administrators only', async () => {
    await activate()
    for (const method of ['POST', 'PATCH', 'DELETE'])
      assert.deepEqual(shown(await ask(method, channel, { channel_token: token })), [403, 'forbidden'])
  })

  it('passes on the status of the partner, but for a refused credential', async () => {
    await activate()
    for (const [given, expected] of [
      [401, 502],
      [403, 502],
      [404, 404],
      [422, 422],
      [503, 503],
    ] as const) {
      refusing('GET /v1/channel-a', given)
      assert.deepEqual(shown(await ask('GET', channel)), [expected, 'partner_error'])
      refusing('POST /v1/channel-a', given)
      assert.deepEqual(shown(await save({ channel_token: token })), [expected, 'partner_error'])
      assert.deepEqual(shown(await save({}, 'DELETE')), [expected, 'partner_error'])
    }
    refusing('GET /v1/channel-a', 200, '{"allowed_users":7}')
    assert.deepEqual(shown(await ask('GET', channel)), [502, 'partner_error'])
    partner.instead = (_asked, reply) => Boolean(reply.destroy())
    assert.deepEqual(shown(await ask('GET', channel)), [502, 'partner_unreachable'])
    assert.deepEqual(shown(await save({}, 'DELETE')), [502, 'partner_unreachable'])
  })

  it('is asked for by the token of the gateway, where that is installed', async () => {
    const installed_at = new Date().toISOString()
    const gateway = { id: 1, sealed_token: panel.store.seal('gw-token-1'), version: '1.0.0', installed_at }
    await panel.store.db
      .insertInto('partner_gateway')
      .values({ ...gateway, revision: 1 })
      .execute()
    assert.equal((await ask('GET', channel)).data.source, 'gateway')
    assert.equal(partner.asked.at(-1)?.bearer, 'gw-token-1')
  })
})
