import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { startSmtpServer, type TestSmtpServer } from '../../../test/support/smtp-server.ts'
import { until } from '../../../test/support/until.ts'
import { jobRow } from '../../jobs/draft.ts'
import type { Context } from './context.ts'
import { followNotifications } from './notifications.ts'

interface Hooked {
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** A receiver of webhooks, which answers with a status. */
async function startReceiver() {
  const server = createServer((request, reply) => {
    void request
      .setEncoding('utf8')
      .toArray()
      .then((parts) => {
        own.received.push({ headers: request.headers, text: parts.join('') })
        reply.writeHead(own.status).end()
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [] as Hooked[],
    status: 204,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
  return own
}

describe('notifications', () => {
  let panel: TestPanel
  let smtp: TestSmtpServer
  let hook: Awaited<ReturnType<typeof startReceiver>>
  let ada: Person
  before(async () => {
    smtp = await startSmtpServer()
    hook = await startReceiver()
    panel = await openTestPanel({ environment: { HOSTREEVE_SMTP_URL: `smtp://127.0.0.1:${smtp.port}` } })
    await panel.start()
  })
  after(async () => {
    await panel.close()
    await smtp.close()
    await hook.close()
  })
  beforeEach(async () => {
    ada = await panel.person()
    hook.status = 204
    hook.received.length = 0
    smtp.received.length = 0
  })

  const ask = (method: string, path: string, body?: unknown, as: Person | string = ada) =>
    panel.request(method, `/api/notifications${path}`, { as, ...(body !== undefined && { body }) })
  const items = async (as = ada) => (await ask('GET', '', undefined, as)).data.items
  const unread = async (as = ada) => (await ask('GET', '/unread-count', undefined, as)).json.unread

  /** A job of ada that has failed. */
  const failJob = async (title: string, owner: Person | null = ada, kind = 'sample.fail') => {
    const id = panel.store.nextId('jobs')
    const draft = { kind, input: {}, ownerId: owner?.id ?? null, title }
    const row = jobRow(panel.store, draft, { id, now: new Date() })
    assert.ok(row.write === 'insert')
    const failed = { state: 'failed', finished_at: new Date().toISOString(), error: 'exit code 1' }
    await panel.store.transaction((tx) =>
      panel.store.write(tx, [{ ...row, values: { ...row.values, ...failed } }]),
    )
    return id
  }
  const failedJob = async (title = 'Back up') => {
    await failJob(title)
    return until(async () => (await items()).at(0))
  }

  it('tell the owner of a job that it failed, once', async () => {
    const id = await failJob('Back up')
    const found = await until(async () => (await items()).at(0))
    const { id: _id, created_at: _at, last_at: _last, ...rest } = found
    assert.deepEqual(rest, {
      kind: 'job_failed',
      title: 'Back up failed',
      message: 'exit code 1',
      link: `/jobs/${id}`,
      count: 1,
      read: 0,
    })
    assert.equal(await unread(), 1)
    assert.equal(
      (await items(panel.admin)).some(({ link }: { link: string }) => link === `/jobs/${id}`),
      false,
    )
  })

  it('go to every superuser where nobody owns the job', async () => {
    const id = await failJob('Prune', null, 'sample.prune')
    await until(async () =>
      (await items(panel.admin)).some((each: { link: string }) => each.link === `/jobs/${id}`),
    )
    assert.deepEqual(await items(), [])
  })

  it('count what is repeated until it was read', async () => {
    const first = await failedJob('First')
    await failJob('Second')
    const grouped = await until(async () =>
      (await items()).find(({ count }: { count: number }) => count === 2),
    )
    assert.deepEqual([grouped.id, grouped.title, (await items()).length], [first.id, 'Second failed', 1])
    assert.equal((await ask('POST', '/mark-read', { ids: [first.id] })).status, 200)
    await failJob('Third')
    await until(async () => (await items()).length === 2)
  })

  it('are marked as read and deleted, by ids or all, and only those of the caller', async () => {
    const { id } = await failedJob()
    const eve = await panel.person()
    for (const path of ['/mark-read', '/delete']) {
      const { status, json } = await ask('POST', path, { ids: [id], all: false }, eve)
      assert.deepEqual([status, json], [200, { success: true }])
    }
    assert.equal(await unread(), 1)
    assert.deepEqual((await ask('POST', '/mark-read', { all: true })).json, { success: true })
    assert.deepEqual([await unread(), (await items())[0].read], [0, 1])
    assert.equal((await ask('POST', '/mark-read', { all: true })).status, 200)
    assert.deepEqual((await ask('GET', '?read=0')).data.items, [])
    assert.equal((await ask('POST', '/delete', { ids: [id, 999_999] })).status, 200)
    assert.deepEqual(await items(), [])
    assert.equal((await ask('POST', '/delete', { all: true })).status, 200)
  })

  it('are left where nothing is chosen, or what is chosen is malformed', async () => {
    await failedJob()
    for (const path of ['/mark-read', '/delete'])
      for (const body of [
        undefined,
        '',
        'no json',
        {},
        { ids: [] },
        { ids: ['1'] },
        { ids: 1 },
        { all: false },
        { all: 'yes' },
      ]) {
        const { status, error } = await ask('POST', path, body)
        assert.deepEqual([status, error.code], [400, 'bad_request'], JSON.stringify(body))
      }
    assert.equal(await unread(), 1)
  })

  it('need a user', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/unread-count'],
      ['POST', '/delete'],
      ['GET', '/channels'],
      ['GET', '/deliveries'],
      ['GET', '/events'],
    ] as const)
      assert.equal((await panel.request(method, `/api/notifications${path}`)).status, 401)
  })

  it('answer a store that fails with db_error, and count none', async () => {
    const broken = await openTestPanel()
    try {
      await broken.store.db.schema.dropTable('notifications').execute()
      const { json } = await broken.request('GET', '/api/notifications/unread-count', { as: broken.admin })
      assert.deepEqual(json, { unread: 0 })
      for (const verb of ['mark-read', 'delete']) {
        const path = `/api/notifications/${verb}`
        const { status, error } = await broken.request('POST', path, { as: broken.admin, body: { ids: [1] } })
        assert.deepEqual([status, error.code], [500, 'db_error'])
      }
    } finally {
      await broken.close()
    }
  })

  it('are followed: the number and the newest at once, and with each change', async () => {
    const { context } = panel.routes.find(({ area }) => area.name === 'notifications') ?? assert.fail()
    const { notifications } = context as Context
    const ending = new AbortController()
    const user = { id: ada.id, email: ada.email, isAdmin: false, username: null }
    const caller = {
      user,
      permissions: new Set<never>(),
      sessionId: null,
      keyId: null,
      ip: '',
      userAgent: '',
      requestId: '',
    }
    const events = followNotifications(notifications, caller, ending.signal)
    assert.deepEqual((await events.next()).value?.value, { unread: 0, newest: null })
    const next = events.next()
    await failJob('Back up')
    const { value } = (await next).value ?? assert.fail()
    assert.deepEqual([value.unread, value.newest?.title], [1, 'Back up failed'])
    ending.abort()
    assert.equal((await events.next()).done, true)
  })

  it('tell of a sign-in from a new address, but not of the first', async () => {
    const from = (ip: string) => {
      const body = { email: ada.email, password: ada.password }
      return panel.request('POST', '/api/auth/login', { body, ip, headers: { 'user-agent': 'Browser 1' } })
    }
    for (const ip of ['203.0.113.5', '203.0.113.5']) assert.equal((await from(ip)).status, 200)
    const told = await until(async () => (await items()).at(0))
    assert.equal(told.title, 'Sign-in from the new address 203.0.113.5')
    assert.match(told.message, /^Browser 1 signed in at /)
    assert.equal((await items()).length, 1)
    const eve = await panel.person()
    await failJob('Later', eve)
    await until(async () => (await items(eve)).length === 1) // her first session was seen by then
    assert.equal((await items(eve))[0].kind, 'job_failed')
  })

  it('tell of an API key that another user adds', async () => {
    const fay = await panel.person()
    const body = { name: 'deploy' }
    await panel.request('POST', `/api/users/${fay.id}/api-keys`, { as: panel.admin, body })
    const told = await until(async () => (await items(fay)).at(0))
    assert.deepEqual([told.kind, told.title], ['credential_added', 'New API key: deploy'])
  })

  describe('are delivered', () => {
    const set = (channels: readonly object[], as = ada) => ask('PUT', '/channels', { channels }, as)
    const draftOf = ({ id, type, target }: { id: number; type: string; target: string }) => ({
      id,
      type,
      target,
    })
    const deliveries = async (as = ada) => (await ask('GET', '/deliveries', undefined, as)).data.items

    /** Confirms an e-mail channel by the code that its address received, and forgets the mail. */
    const confirmed = async (id: number, as = ada) => {
      assert.equal((await ask('POST', `/channels/${id}/test`, undefined, as)).status, 200)
      const code = /notifications here: ([0-9A-F]{8})/.exec(smtp.received.at(-1)?.text ?? '')?.[1] ?? ''
      assert.deepEqual((await ask('POST', `/channels/${id}/confirm`, { code }, as)).data, { success: true })
      smtp.received.length = 0
      return code
    }

    it('to an e-mail address only after its reader has passed on the code, anew for another address', async () => {
      const [mail] = (await set([{ type: 'email', target: 'ada@example.com' }])).data.channels
      assert.equal(mail.confirmed_at, null)
      await failJob('Before')
      await until(async () => (await items()).at(0))
      const path = `/channels/${mail.id}/confirm`
      const wrong = await ask('POST', path, { code: '00000000' })
      assert.deepEqual([wrong.status, wrong.error.code], [400, 'bad_request'])
      assert.match(wrong.error.message, /^code: is not the one of the mail/)
      assert.equal((await ask('POST', path, { code: 'x' })).status, 400)
      const code = await confirmed(mail.id)
      const again = await ask('POST', path, { code })
      assert.deepEqual([again.status, again.error.code], [409, 'conflict'])
      assert.equal((await ask('POST', path, { code }, await panel.person())).status, 404)
      assert.deepEqual(await deliveries(), [])
      const [changed] = (await set([{ ...draftOf(mail), target: 'eve@example.com' }])).data.channels
      assert.equal(changed.confirmed_at, null)
      assert.equal((await ask('POST', path, { code })).status, 400)
      const [kept] = (await set([{ ...draftOf(mail), target: 'eve@example.com', is_enabled: false }])).data
        .channels
      assert.equal(kept.confirmed_at, null)
    })

    it('by e-mail and by a webhook that Standard Webhooks verifies', async () => {
      const root = await panel.person({ isAdmin: true })
      const { status, data } = await set(
        [
          { type: 'email', target: root.email },
          { type: 'webhook', target: hook.url, kinds: ['job_failed'] },
        ],
        root,
      )
      assert.equal(status, 200)
      await confirmed(data.channels[0].id, root)
      const secret: string = data.channels[1].secret
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{32}$/)
      await failJob('Back up', root)
      const { headers, text } = await until(() => hook.received[0])
      const verified = new Webhook(secret).verify(text, headers as Record<string, string>) as { data: object }
      assert.partialDeepStrictEqual(verified, {
        type: 'notification.job_failed',
        data: { title: 'Back up failed', message: 'exit code 1' },
      })
      assert.throws(() => new Webhook(secret).verify(`${text} `, headers as Record<string, string>))
      const mail = await until(() => smtp.received[0])
      assert.deepEqual(mail.to, [root.email])
      assert.match(mail.text, /^Subject: .*Back up failed/m)
      await until(async () =>
        (await deliveries(root)).every(({ state }: { state: string }) => state === 'sent'),
      )
      await failJob('Again', root)
      await until(async () => (await items(root))[0]?.count === 2)
      assert.equal((await deliveries(root)).length, 2) // a repeated one is not sent again
    })

    it('only where the kind was chosen and the channel is enabled', async () => {
      const target = 'https://203.0.113.9/hook'
      await set([
        { type: 'webhook', target, kinds: ['disk_full'] },
        { type: 'webhook', target, is_enabled: false },
      ])
      await failedJob()
      assert.deepEqual(await deliveries(), [])
    })

    it('again later where the receiver fails, and no more where it is gone', async () => {
      const root = await panel.person({ isAdmin: true })
      await set([{ type: 'webhook', target: hook.url }], root)
      hook.status = 503
      await failJob('Back up', root)
      const waiting = await until(async () =>
        (await deliveries(root)).find((each: { attempts: number }) => each.attempts === 1),
      )
      assert.deepEqual([waiting.state, waiting.error], ['waiting', 'the receiver answered 503'])
      assert.ok(Date.parse(waiting.next_at) > Date.now() + 20_000)
      hook.status = 410
      await failJob('Other', root, 'sample.other')
      await until(async () =>
        (await deliveries(root)).some((each: { state: string }) => each.state === 'failed'),
      )
      await until(async () => !(await ask('GET', '/channels', undefined, root)).data.channels[0].is_enabled)
      assert.deepEqual((await ask('GET', '/deliveries?state=failed', undefined, root)).data.total, 1)
    })

    it('never to an internal address for a user who is no superuser', async () => {
      const { data } = await set([{ type: 'webhook', target: hook.url }])
      const { status, error } = await ask('POST', `/channels/${data.channels[0].id}/test`)
      assert.deepEqual([status, error.code], [502, 'delivery_failed'])
      assert.match(error.message, /internal addresses/)
      assert.deepEqual(hook.received, [])
    })

    it('nor to one that was set before its user became a superuser', async () => {
      const promoted = await panel.person()
      const channels = [{ type: 'webhook', target: hook.url }]
      const { data } = await ask('PUT', '/channels', { channels }, promoted)
      const edit = { as: panel.admin, body: { is_admin: true } }
      assert.equal((await panel.request('PATCH', `/api/users/${promoted.id}`, edit)).status, 200)
      const { email, password } = promoted
      const signedIn = await panel.request('POST', '/api/auth/login', { body: { email, password } })
      const as = { ...promoted, token: signedIn.data.access_token }
      const test = (id: number) => ask('POST', `/channels/${id}/test`, undefined, as)
      assert.match((await test(data.channels[0].id)).error.message, /internal addresses/)
      const again = await ask('PUT', '/channels', { channels }, as)
      assert.equal((await test(again.data.channels[0].id)).status, 200)
    })

    it('as a test, whose failure is answered at once', async () => {
      const { data } = await set([{ type: 'email', target: 'ada@example.com' }])
      const path = `/channels/${data.channels[0].id}/test`
      await confirmed(data.channels[0].id)
      assert.equal((await ask('POST', path)).status, 200)
      assert.match(smtp.received[0]?.text ?? '', /Test of notifications/)
      smtp.refusal = 'Mailbox is full'
      const { status, error } = await ask('POST', path)
      smtp.refusal = undefined
      assert.deepEqual([status, error.code], [502, 'delivery_failed'])
      assert.match(error.message, /Mailbox is full/)
      const eve = await panel.person()
      assert.equal((await ask('POST', path, undefined, eve)).status, 404)
      assert.equal(
        (await ask('GET', `/deliveries?channel_id=${data.channels[0].id}`, undefined, eve)).status,
        404,
      )
    })

    it('to channels that are changed by id, and deleted where they are not listed', async () => {
      const { data: first } = await set([
        { type: 'webhook', target: 'https://example.com/a' },
        { type: 'email', target: 'ada@example.com' },
      ])
      const [webhook, mail] = first.channels
      const { data } = await set([{ id: webhook.id, type: 'webhook', target: 'https://example.com/b' }])
      assert.deepEqual(
        data.channels.map(({ id, target }: { id: number; target: string }) => [id, target]),
        [[webhook.id, 'https://example.com/b']],
      )
      assert.match(data.channels[0].secret, /^whse••••/)
      const foreign = await set([{ id: mail.id, type: 'email', target: 'eve@example.com' }])
      assert.equal(foreign.status, 400)
      assert.match(foreign.error.message, /^channels\/0\/id: there is no channel/)
    })

    it('to nothing that is no address', async () => {
      for (const [channel, message] of [
        [
          { type: 'email', target: 'ada@example.com, eve@example.com' },
          /^channels\/0\/target: must be an e-mail/,
        ],
        [{ type: 'email', target: '-oProxyCommand' }, /^channels\/0\/target/],
        [{ type: 'webhook', target: 'file:///etc/passwd' }, /^channels\/0\/target: must begin with http/],
        [{ type: 'webhook', target: 'https://a:b@example.com/' }, /^channels\/0\/target: must not contain/],
        [
          { type: 'webhook', target: 'https://example.com/', kinds: ['no_kind'] },
          /^channels\/0\/kinds: no_kind is none of/,
        ],
        [{ type: 'pigeon', target: 'x' }, /type/],
        [{ type: 'email', target: 'a\nb@example.com' }, /target/],
      ] as const) {
        const { status, error } = await set([channel])
        assert.deepEqual([status, error.code], [400, 'bad_request'])
        assert.match(error.message, message)
      }
      const [mail] = (await set([{ type: 'email', target: 'ada@example.com' }])).data.channels
      const other = await set([{ id: mail.id, type: 'webhook', target: 'https://example.com' }])
      assert.match(other.error.message, /^channels\/0\/type: channel \d+ is email/)
      const eleven = Array.from({ length: 11 }, () => ({ type: 'email', target: 'ada@example.com' }))
      assert.equal((await set(eleven)).status, 400)
    })
  })
})
