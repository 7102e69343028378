import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { Busy, retryAfter } from '../../core/problem.ts'
import { openSample } from './testing/sample.ts'
import { until } from '../../../test/support/until.ts'

let sample: Awaited<ReturnType<typeof openSample>>
let origin: string
before(async () => {
  sample = await openSample()
  await sample.app.listen({ host: '127.0.0.1', port: 0 })
  origin = `http://127.0.0.1:${(sample.app.server.address() as AddressInfo).port}`
})
after(async () => {
  await sample.http.stop(100)
  await sample.store.close()
})

interface Sent {
  readonly as?: string | undefined
  readonly body?: unknown
  readonly text?: string | Buffer
  readonly headers?: Record<string, string>
}

async function call(line: string, { as = 'ada', body, text, headers = {} }: Sent = {}) {
  const [method, path] = line.split(' ') as [string, string]
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const authorization = as === '' ? {} : { authorization: `Bearer ${as}` }
  const reply = await sample.app.inject({
    method: method as 'GET',
    url: `/api${path}`,
    headers: { ...authorization, ...headers },
    ...(payload !== undefined && { payload }),
  })
  const isJson = String(reply.headers['content-type']).includes('json')
  return {
    status: reply.statusCode,
    headers: reply.headers,
    json: isJson ? reply.json() : undefined,
    text: reply.body,
  }
}

const codeOf = async (line: string, sent?: Sent) => {
  const { status, json } = await call(line, sent)
  return [status, json.error.code]
}

const create = async (label = 'one') =>
  (await call('POST /boxes', { body: { label } })).json.data.id as number

describe('the order of checks', () => {
  it('an unknown path is 404 for everybody, before any credential and any body is looked at', async () => {
    for (const as of ['', 'wrong', 'ada'])
      assert.deepEqual(await codeOf('GET /nowhere', { as }), [404, 'not_found'])
    assert.deepEqual(await codeOf('POST /nowhere', { text: 'x'.repeat(2_000_000) }), [404, 'not_found'])
  })

  it('a wrong method on a known path is 405 with what it takes, before authentication', async () => {
    const { status, headers, json } = await call('PUT /boxes/5', { as: '' })
    assert.deepEqual(
      [status, json.error.code, headers['allow']],
      [405, 'method_not_allowed', 'GET, PATCH, DELETE'],
    )
    assert.deepEqual(await codeOf('OPTIONS /boxes'), [405, 'method_not_allowed'])
  })

  it('a path without parameters has its own methods, not those of one with a parameter that it does not fit', async () => {
    const superOnly = await call('PUT /boxes/super')
    assert.deepEqual([superOnly.status, superOnly.headers['allow']], [405, 'GET'])
    const { status, headers, json } = await call('DELETE /boxes/super')
    assert.deepEqual([status, json.error.code, headers['allow']], [405, 'method_not_allowed', 'GET'])
    assert.deepEqual(await codeOf('DELETE /boxes/none'), [400, 'bad_request'])
  })

  it('no credential, or a wrong one, is 401 before the guard, the input and the plugin', async () => {
    for (const as of ['', 'nobody']) {
      const { status, headers, json } = await call('GET /boxes/super?n=9', { as })
      assert.deepEqual(
        [status, json.error.code, headers['www-authenticate']],
        [401, 'unauthorized', 'Bearer'],
      )
    }
    assert.deepEqual(await codeOf('GET /plugged', { as: '' }), [401, 'unauthorized'])
    for (const authorization of [
      'Basic YWRhOng=',
      'Bearer',
      'Bearer a b',
      `Bearer ${'x'.repeat(9000)}`,
      'ada',
    ])
      assert.deepEqual(await codeOf('GET /boxes', { as: '', headers: { authorization } }), [
        401,
        'unauthorized',
      ])
  })

  it('a guard is 403 before validation and before the plugin', async () => {
    assert.deepEqual(await codeOf('GET /boxes/super?n=9'), [403, 'forbidden'])
    assert.deepEqual(await codeOf('GET /boxes/99', { as: 'eve' }), [403, 'forbidden'])
    assert.deepEqual(await codeOf('GET /plugged', { as: 'eve' }), [403, 'forbidden'])
  })

  it('a feature comes before a plugin, a plugin before validation, and its message names it', async () => {
    assert.deepEqual(await codeOf('POST /licensed', { text: 'no json' }), [403, 'feature_disabled'])
    const { status, json } = await call('POST /plugged', { text: 'no json' })
    assert.deepEqual([status, json.error.code], [403, 'plugin_disabled'])
    assert.match(json.error.message, /uptime/)
  })

  it('validation comes before the handler, the handler last', async () => {
    assert.deepEqual(await codeOf('GET /boxes/abc'), [400, 'bad_request'])
    assert.deepEqual(await codeOf('GET /boxes/99'), [404, 'not_found'])
    assert.deepEqual(await codeOf('GET /boxes/super?n=9', { as: 'admin' }), [400, 'bad_request'])
    assert.equal((await call('GET /boxes/super?n=5', { as: 'admin' })).status, 200)
  })

  it('a path is served with and without a trailing slash', async () => {
    assert.equal((await call('GET /boxes/')).status, 200)
    assert.deepEqual((await call('GET /boxes/flat/')).json, { version: '1' })
  })

  it('a path that cannot be decoded is 400, and never a crash', async () => {
    const reply = await sample.app.inject({ method: 'GET', url: '/api/boxes/%zz' })
    assert.equal(reply.statusCode, 400)
    assert.equal(reply.json().error.code, 'bad_request')
  })
})

describe('an open endpoint', () => {
  it('needs no credential and looks at none; who reads the caller there has a bug', async () => {
    assert.deepEqual(await codeOf('GET /boxes/open', { as: '' }), [500, 'server_error'])
  })

  it('that checks what is sent tells no credential from a wrong one', async () => {
    assert.deepEqual((await call('GET /boxes/wrong', { as: '' })).json, { data: { known: false } })
    assert.deepEqual((await call('GET /boxes/wrong')).json, { data: { known: true } })
    assert.deepEqual(await codeOf('GET /boxes/wrong', { as: 'nobody' }), [401, 'unauthorized'])
  })
})

describe('failures', () => {
  it('carry code and message, the message alone, or are flat, as their area words them', async () => {
    assert.deepEqual((await call('GET /boxes/refuse')).json, {
      error: { code: 'bad_request', message: 'n: is wrong', hint: 'try 2' },
    })
    assert.deepEqual((await call('GET /quiet/refuse')).json, {
      error: { message: 'n: is wrong', hint: 'try 2' },
    })
    assert.deepEqual((await call('GET /plain/refuse')).json, { error: 'n: is wrong' })
  })

  it('of a guard carry code and message in every area, whatever its style', async () => {
    for (const area of ['boxes', 'quiet', 'plain']) {
      const forbidden = await call(`GET /${area}`, { as: 'eve' })
      const unauthorized = await call(`GET /${area}`, { as: '' })
      assert.deepEqual(
        [forbidden, unauthorized].map(({ json }) => [json.error.code, Object.keys(json.error)]),
        ['forbidden', 'unauthorized'].map((code) => [code, ['code', 'message']]),
        area,
      )
    }
  })

  it('are RFC 9457 for who asks for it', async () => {
    const { headers, json } = await call('GET /boxes/99', { headers: { accept: 'application/problem+json' } })
    assert.match(String(headers['content-type']), /^application\/problem\+json/)
    assert.deepEqual(
      [json.status, json.code, json.detail, json.instance, json.request_id],
      [404, 'not_found', 'id: there is no box 99', '/api/boxes/99', headers['x-request-id']],
    )
  })

  it('that were declared have the declared code and status', async () => {
    assert.deepEqual(await codeOf('POST /boxes', { body: { label: 'taken' } }), [409, 'taken'])
    assert.deepEqual(await codeOf('GET /boxes/teapot'), [503, 'brewing'])
  })

  it('of the host to be read are 503 with the reason, and logged', async () => {
    const { status, json } = await call('GET /boxes/unreadable')
    assert.deepEqual(
      [status, json.error],
      [503, { code: 'unavailable', message: 'The host could not be read: read /etc/boxes: i/o error' }],
    )
    const last = sample.lines.findLast(({ level }) => level === 'error')
    assert.equal(last?.message, 'a request failed')
  })

  it('that were not declared, and bugs, are 500 with the request id and none of their text, logged once', async () => {
    for (const path of ['hidden', 'bug']) {
      const before = sample.lines.filter(({ level }) => level === 'error').length
      const { status, json, headers, text } = await call(`GET /boxes/${path}`)
      assert.deepEqual([status, json.error.code], [500, 'server_error'])
      assert.ok(
        json.error.message.includes(headers['x-request-id']) &&
          !text.includes('secret') &&
          !text.includes('hidden text'),
      )
      assert.equal(sample.lines.filter(({ level }) => level === 'error').length, before + 1)
    }
  })
})

describe('a body', () => {
  it('is read as JSON whatever its Content-Type says', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-8',
      'nonsense',
    ]) {
      assert.equal(
        (await call('POST /boxes', { body: { label: 'typed' }, headers: { 'content-type': type } })).status,
        201,
        type,
      )
    }
  })

  it('that is not JSON is 400 in the style of its area', async () => {
    for (const text of ['{', 'label=x', '{"label": undefined}', '\u0000', '<a/>']) {
      const { status, json } = await call('POST /boxes', { text })
      assert.deepEqual([status, json.error.code], [400, 'bad_request'], text)
      assert.match(json.error.message, /^body: must be JSON/)
    }
    assert.deepEqual(Object.keys((await call('POST /quiet', { text: '{' })).json.error), ['message'])
  })

  it('of the wrong type or shape is 400 and names the field', async () => {
    const messageOf = async (body: unknown) => (await call('POST /boxes', { body })).json.error.message
    assert.equal(await messageOf({ label: 5 }), 'label: must be a label')
    assert.equal(
      await messageOf({ label: 'x', host: '-evil.example.com' }),
      'host: must be a host name in lower case such as www.example.com',
    )
    assert.equal(await messageOf([]), 'body: must be a JSON object')
    assert.equal(await messageOf(null), 'body: must be a JSON object')
    assert.equal(await messageOf({}), 'label: is required; it must be a label')
  })

  it('of 2 MiB is 413, of 1,000 levels 400, and neither hurts', async () => {
    assert.deepEqual(await codeOf('POST /boxes', { body: { label: 'x'.repeat(2 * 1024 * 1024) } }), [
      413,
      'payload_too_large',
    ])
    for (const deep of [
      '['.repeat(1000) + ']'.repeat(1000),
      `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`,
      '['.repeat(500_000),
    ]) {
      const { status, json } = await call('POST /boxes', { text: deep })
      assert.deepEqual([status, json.error.message], [400, 'body: must not be nested deeper than 64 levels'])
    }
  })

  it('with unknown fields, __proto__ among them, is taken without them', async () => {
    const { status, json } = await call('POST /boxes', {
      text: '{"label": "a", "isAdmin": true, "__proto__": {"label": "b"}, "constructor": {"prototype": {"x": 1}}}',
    })
    assert.deepEqual(
      [status, json.data.label, Object.keys(json.data)],
      [201, 'a', ['id', 'label', 'revision']],
    )
  })

  it('that is missing counts as {} where no field is required, and is 400 where one is', async () => {
    const id = await create()
    assert.equal((await call(`PATCH /boxes/${id}`)).status, 200)
    assert.deepEqual(await codeOf('POST /boxes'), [400, 'bad_request'])
  })

  it('is read leniently where the declaration says so', async () => {
    assert.deepEqual((await call('POST /boxes/lenient', { text: 'no json' })).json, {
      data: { note: 'none' },
    })
    assert.deepEqual((await call('POST /boxes/lenient', { body: { note: 'yes' } })).json, {
      data: { note: 'yes' },
    })
    for (const body of [{ note: 7 }, [], 'yes'])
      assert.deepEqual((await call('POST /boxes/lenient', { body })).json, { data: { note: 'none' } })
  })
})

describe('a stored row', () => {
  it('is read with its revision as ETag; a change under a stale one is 409 and changes nothing', async () => {
    const id = await create()
    assert.equal((await call(`GET /boxes/${id}`)).headers['etag'], '"1"')
    assert.equal(
      (await call(`PATCH /boxes/${id}`, { body: { label: 'two' }, headers: { 'if-match': '"1"' } })).status,
      200,
    )
    assert.deepEqual(
      await codeOf(`PATCH /boxes/${id}`, { body: { label: 'three' }, headers: { 'if-match': '"1"' } }),
      [409, 'conflict'],
    )
    assert.equal((await call(`GET /boxes/${id}`)).json.data.label, 'two')
    for (const tag of ['*', '"9", "2"', 'W/"2"'])
      assert.equal(
        (await call(`PATCH /boxes/${id}?plan=1`, { body: {}, headers: { 'if-match': tag } })).status,
        200,
        tag,
      )
  })

  it('that two change at once is changed by both, one after another', async () => {
    const id = await create()
    const replies = await Promise.all(
      ['x', 'y', 'z'].map((label) => call(`PATCH /boxes/${id}`, { body: { label } })),
    )
    assert.deepEqual(
      replies.map(({ status }) => status),
      [200, 200, 200],
    )
    assert.equal((await call(`GET /boxes/${id}`)).headers['etag'], '"4"')
  })
})

describe('Idempotency-Key', () => {
  const sent = (body: object, key = 'key-1') => ({ body, headers: { 'idempotency-key': key } })

  it('makes a repeat answer what the first was answered, and says so', async () => {
    const [first, second] = [
      await call('POST /boxes', sent({ label: 'once' })),
      await call('POST /boxes', sent({ label: 'once' })),
    ]
    assert.deepEqual(
      [
        first.status,
        second.status,
        second.json,
        second.headers['idempotency-replayed'],
        second.headers['x-change-id'],
      ],
      [201, 201, first.json, 'true', first.headers['x-change-id']],
    )
  })

  it('is a conflict with another body, and in progress while the first runs', async () => {
    assert.deepEqual(await codeOf('POST /boxes', sent({ label: 'other' })), [409, 'idempotency_conflict'])
    const replies = await Promise.all([
      call('POST /boxes/slow', sent({}, 'key-2')),
      call('POST /boxes/slow', sent({}, 'key-2')),
    ])
    assert.deepEqual(replies.map(({ status }) => status).toSorted(), [409, 503])
    assert.equal(replies.find(({ status }) => status === 409)?.json.error.code, 'in_progress')
  })

  it('does not keep an answer that holds a secret', async () => {
    const { headers } = await call('POST /boxes/key', sent({}, 'key-3'))
    const { status, json } = await call('POST /boxes/key', sent({}, 'key-3'))
    assert.deepEqual(
      [status, json.error.code, String(json.error.change_id)],
      [409, 'already_done', headers['x-change-id']],
    )
  })

  it('is refused when it is empty, too long or holds a space', async () => {
    for (const key of ['', 'a b', 'x'.repeat(201)])
      assert.deepEqual(await codeOf('POST /boxes', sent({ label: 'x' }, key)), [400, 'bad_request'])
  })
})

describe('?plan', () => {
  it('shows what would be done and does nothing; an unclear value is refused and does nothing either', async () => {
    const count = async () => (await sample.store.db.selectFrom('boxes').select('id').execute()).length
    const before = await count()
    for (const query of ['plan=1', 'plan=true']) {
      const { status, json } = await call(`POST /boxes?${query}`, { body: { label: 'planned' } })
      assert.equal(status, 200)
      assert.deepEqual(
        [json.data.effect, json.data.summary, json.data.rows[0].table],
        ['changes', 'Create planned', 'boxes'],
      )
    }
    for (const query of ['plan=1&plan=1', 'plan', 'plan=yes', 'plan=AAA']) {
      const { status, json } = await call(`POST /boxes?${query}`, { body: { label: 'planned' } })
      assert.deepEqual([status, json.error.code], [400, 'bad_request'])
      assert.match(json.error.message, /^plan: must be 1 or true/)
    }
    assert.equal(await count(), before)
    assert.equal((await call('POST /boxes?plan=0', { body: { label: 'done' } })).status, 201)
  })

  it('answers the same refusals as the change itself', async () => {
    assert.deepEqual(await codeOf('POST /boxes?plan=1', { body: { label: 'taken' } }), [409, 'taken'])
    assert.deepEqual(await codeOf('DELETE /boxes/99?plan=1'), [404, 'not_found'])
  })
})

describe('the shapes of replies', () => {
  it('data, flat, created, accepted and list are as the contract has them', async () => {
    const id = await create('shape')
    assert.deepEqual((await call(`GET /boxes/${id}`)).json, {
      data: { id, label: 'shape', revision: 1, password: `corr${'•'.repeat(8)}orse` },
    })
    assert.deepEqual((await call('GET /boxes/flat')).json, { version: '1' })
    const { status, json } = await call('POST /boxes/job')
    assert.deepEqual([status, Object.keys(json.data)], [202, ['job_id']])
    assert.deepEqual((await call('GET /boxes?page=3&per_page=10&sort=-label')).json, {
      data: { items: [{ id: 3, label: '-label', revision: 1 }], total: 7, page: 3, per_page: 10 },
    })
    assert.deepEqual(await codeOf('GET /boxes?per_page=501'), [400, 'bad_request'])
    assert.deepEqual((await call(`DELETE /boxes/${id}`)).json, { data: { success: true } })
  })

  it('bytes are a download with its name, its size and its part', async () => {
    const { status, headers, text } = await call('GET /boxes/file')
    assert.deepEqual(
      [status, text, headers['content-length'], headers['accept-ranges'], headers['etag']],
      [200, '1234', '4', 'bytes', '"x"'],
    )
    assert.equal(
      headers['content-disposition'],
      `attachment; filename="_ _quoted_.html"; filename*=UTF-8''%C3%A4%20%22quoted%22.html`,
    )
    const part = await call('GET /boxes/file', { headers: { range: 'bytes=1-2' } })
    assert.deepEqual(
      [part.status, part.text, part.headers['content-range'], part.headers['content-disposition']],
      [206, '23', 'bytes 1-2/4', 'attachment'],
    )
  })

  for (const [given, expected] of [
    ['"x"', 304],
    ['W/"x"', 304],
    ['*', 304],
    ['"y", W/"x" ,"z"', 304],
    ['"a,b","x"', 304],
    ['"y"', 200],
    ['x', 200],
    ['"xx"', 200],
    ['"x', 200],
    ['', 200],
  ] as const)
    it(`bytes that their caller has are ${expected === 304 ? 'not sent again' : 'sent'}: If-None-Match is ${given || 'empty'}`, async () => {
      const { status, headers, text } = await call('GET /boxes/file', { headers: { 'if-none-match': given } })
      assert.deepEqual([status, headers['etag'], text], [expected, '"x"', expected === 304 ? '' : '1234'])
      if (expected === 304)
        for (const name of ['content-type', 'content-length', 'content-disposition'])
          assert.equal(headers[name], undefined, name)
    })

  it('a range that lies outside of the bytes is refused with how many there are', async () => {
    const { status, headers, json } = await call('GET /boxes/file', { headers: { range: 'bytes=9-' } })
    assert.deepEqual([status, headers['content-range'], json.error.code], [416, 'bytes */4', 'outside'])
  })

  it('bytes that changed are sent in the range that was asked for, and those that did not are not', async () => {
    const ask = (tag: string) =>
      call('GET /boxes/file', { headers: { range: 'bytes=1-2', 'if-none-match': tag } })
    const [changed, same] = [await ask('"y"'), await ask('"x"')]
    assert.deepEqual([changed.status, changed.text, same.status, same.text], [206, '23', 304, ''])
  })

  it('replies without an etag of bytes know no If-None-Match', async () => {
    assert.equal((await call('GET /boxes/flat', { headers: { 'if-none-match': '*' } })).status, 200)
  })

  it('reveal a secret only where it is made, and mask it elsewhere', async () => {
    assert.deepEqual((await call('POST /boxes/key')).json, { data: { key: 'shown-only-here' } })
  })

  it('reveal a stored secret to a superuser who asks for it, and tell of it', async () => {
    assert.deepEqual((await call('GET /boxes/sealed', { as: 'admin' })).json, {
      data: { password: 'stor••••••••aled', isAsked: false },
    })
    const told = sample.refusals.length
    assert.deepEqual((await call('GET /boxes/sealed?reveal=1', { as: 'admin' })).json, {
      data: { password: 'stored-and-sealed', isAsked: true },
    })
    const { action, status, message, caller } = sample.refusals.at(-1) as any
    assert.deepEqual(
      [action, status, message, caller.user.id],
      ['boxes_read_sealed', 'ok', 'Reveal secrets: Show what is stored', 1],
    )
    assert.deepEqual((await call('GET /boxes/sealed?reveal=1')).status, 403)
    assert.equal(sample.refusals.length, told + 1)
  })
})

describe('every answer', () => {
  it('carries the request id and headers that keep browsers from running, framing or caching it', async () => {
    for (const line of ['GET /boxes', 'GET /nowhere', 'PUT /boxes', 'GET /boxes/bug']) {
      const { headers } = await call(line)
      assert.match(String(headers['x-request-id']), /^[0-9a-f]{10}-[0-9a-z]+$/)
      assert.deepEqual(
        [headers['x-content-type-options'], headers['x-frame-options'], headers['cache-control']],
        ['nosniff', 'DENY', 'no-store'],
      )
      assert.match(String(headers['content-security-policy']), /^default-src 'none'/)
    }
  })

  it('is one log line without query, body or secret; the records of a change hold no secret either', async () => {
    await call('POST /boxes?token=top-secret-1', {
      body: { label: 'logged', password: 'top-secret-2' },
      headers: { authorization: 'Bearer ada', cookie: 'hostreeve_refresh=top-secret-3' },
    })
    await call('POST /boxes/refused', { body: { password: 'top-secret-4' } })
    const rows = await sample.store.db.selectFrom('changes').selectAll().execute()
    const entries = await sample.store.db.selectFrom('activity').selectAll().execute()
    const everything = JSON.stringify([sample.lines, sample.refusals, rows, entries])
    assert.ok(everything.includes('/api/boxes') && everything.includes('logged'))
    assert.ok(!everything.includes('top-secret'))
    assert.ok(sample.refusals.length > 0)
  })
})

describe('rate limits', () => {
  it('refuse what comes too often with the seconds to wait, for one key and not for another', async () => {
    const send = (who: string) => call('POST /boxes/limited', { body: { who } })
    for (let count = 0; count < 3; count++) assert.equal((await send('a')).status, 200)
    const { status, headers, json } = await send('a')
    assert.deepEqual([status, json.error.code], [429, 'rate_limited'])
    assert.deepEqual(Object.keys(json.error), ['code', 'message'])
    assert.ok(Number(headers['retry-after']) >= 1 && Number(headers['retry-after']) <= 60)
    assert.equal((await send('b')).status, 200)
  })

  it('stop an address that keeps sending wrong credentials, and nobody else', async () => {
    const attempt = (remoteAddress: string, token: string) =>
      sample.app.inject({ url: '/api/boxes', remoteAddress, headers: { authorization: `Bearer ${token}` } })
    const statuses = new Set<number>()
    for (let count = 0; count < 61; count++) statuses.add((await attempt('192.0.2.66', 'guess')).statusCode)
    assert.deepEqual([...statuses], [401, 429])
    assert.equal((await attempt('192.0.2.66', 'ada')).statusCode, 200)
    assert.equal((await attempt('192.0.2.67', 'guess')).statusCode, 401)
  })
})

describe('time limits', () => {
  it('answer 503 for a read whose run ignores its signal, and end that signal', async () => {
    const { status, json } = await call('GET /boxes/slow')
    assert.deepEqual([status, json.error.message], [503, 'The time limit of this request was reached'])
    assert.ok(sample.boxes.signals.every((signal) => signal.aborted))
  })

  it('undo a change and answer 503', async () => {
    assert.deepEqual(await codeOf('POST /boxes/slow'), [503, 'unavailable'])
    const { status, message } = await sample.store.db
      .selectFrom('activity')
      .select(['status', 'message'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.deepEqual([status, message], ['restored', 'The time limit of this request was reached'])
  })
})

describe('an upload', () => {
  const form = (parts: readonly [string, string | Blob, string?][]) => {
    const data = new FormData()
    for (const [name, value, fileName] of parts) {
      if (value instanceof Blob) data.append(name, value, fileName)
      else data.append(name, value)
    }
    return data
  }
  const send = async (
    body: FormData | Buffer<ArrayBuffer> | string,
    query = '',
    headers: Record<string, string> = {},
  ) => {
    const reply = await fetch(`${origin}/api/boxes/upload${query}`, {
      method: 'POST',
      body,
      headers: { authorization: 'Bearer ada', ...headers },
    })
    return { status: reply.status, json: (await reply.json()) as any }
  }

  it('comes as a form with its fields before the file', async () => {
    const { status, json } = await send(
      form([
        ['path', '/sites/a.tar.gz'],
        ['file', new Blob(['x'.repeat(50_000)]), 'ä.tar.gz'],
      ]),
    )
    assert.deepEqual([status, json.data], [200, { path: '/sites/a.tar.gz', name: 'ä.tar.gz', size: 50_000 }])
  })

  it('comes as bytes alone, with the fields in the query, whatever they hold', async () => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 256))
    for (const type of ['application/octet-stream', 'application/json', 'text/plain']) {
      const { status, json } = await send(bytes, '?path=%2Fa', { 'content-type': type })
      assert.deepEqual([status, json.data], [200, { path: '/a', name: '', size: 70_000 }], type)
    }
  })

  it('beyond its limit is 413 in both forms', async () => {
    const big = 'x'.repeat(150_000)
    assert.deepEqual(
      await send(
        form([
          ['path', '/a'],
          ['file', new Blob([big]), 'a'],
        ]),
      ).then(({ status, json }) => [status, json.error.code]),
      [413, 'payload_too_large'],
    )
    assert.deepEqual(await send(big, '?path=%2Fa').then(({ status, json }) => [status, json.error.code]), [
      413,
      'payload_too_large',
    ])
  })

  it('without its file or a field is 400', async () => {
    assert.deepEqual(
      await send(form([['path', '/a']])).then(({ status, json }) => [status, json.error.message.slice(0, 5)]),
      [400, 'file:'],
    )
    assert.deepEqual(
      await send(form([['file', new Blob(['x']), 'a']])).then(({ status, json }) => [
        status,
        json.error.message.slice(0, 5),
      ]),
      [400, 'path:'],
    )
  })
})

describe('an event stream', () => {
  const follow = async (path: string, headers: Record<string, string> = {}) => {
    const leaving = new AbortController()
    const reply = await fetch(`${origin}/api/boxes/${path}`, {
      headers: { authorization: 'Bearer ada', ...headers },
      signal: leaving.signal,
    })
    const seen = { text: '' }
    const read = (async () => {
      for await (const chunk of reply.body as unknown as AsyncIterable<Uint8Array>)
        seen.text += Buffer.from(chunk).toString()
    })()
    return { reply, seen, read, leave: () => leaving.abort() }
  }

  it('sends ids and masked values, signs of life, and ends its source when the reader leaves', async () => {
    const { closed } = sample.boxes
    const { reply, seen, read, leave } = await follow('events')
    await until(() => seen.text.includes(': still here'))
    assert.match(String(reply.headers.get('content-type')), /^text\/event-stream/)
    assert.ok(reply.headers.get('x-request-id') && reply.headers.get('x-content-type-options'))
    assert.ok(
      seen.text.startsWith(`id: 1\ndata: {"n":1,"password":"corr${'•'.repeat(8)}orse"}\n\nid: 2\n`),
      seen.text,
    )
    leave()
    await read.catch(() => {})
    await until(() => sample.boxes.closed === closed + 1 && sample.gates.running.size === 0)
  })

  it('goes on after Last-Event-ID', async () => {
    const { seen, read, leave } = await follow('events', { 'last-event-id': '7' })
    await until(() => seen.text.includes('"n":10'))
    assert.ok(seen.text.startsWith('id: 8\n'))
    leave()
    await read.catch(() => {})
  })

  it('tells an error after its start as an event, without the text of a bug, and ends', async () => {
    const { seen, read } = await follow('broken-events')
    await read
    assert.equal(seen.text, 'data: {"n":1}\n\ndata: {"type":"error","message":"the stream broke off"}\n\n')
  })

  it('is refused before it starts like any other request', async () => {
    assert.deepEqual(await codeOf('GET /boxes/events', { as: 'eve' }), [403, 'forbidden'])
  })
})

describe('a caller who goes away', () => {
  it('ends the signal of the run; a change that has begun goes on until its own time is up', async () => {
    const begun = async () =>
      (await sample.store.db.selectFrom('changes').select('id').where('state', '=', 'intended').execute())
        .length
    const leaving = httpRequest(`${origin}/api/boxes/hang`, {
      method: 'POST',
      headers: { authorization: 'Bearer ada' },
    })
    leaving.on('error', () => {})
    leaving.end()
    await until(async () => (await begun()) === 1)
    leaving.destroy()
    await until(() => sample.boxes.signals.at(-1)?.aborted === true)
    assert.equal(await begun(), 1)
    for (const { scope } of sample.gates.running) scope.end(Busy('The time is up'))
    await until(async () => (await begun()) === 0 && sample.gates.running.size === 0)
    assert.equal(sample.lines.at(-1)?.level, 'info')
  })
})

describe('stopping', () => {
  it('finishes what ends in time, tells streams, closes what takes too long, and takes nothing new', async () => {
    const own = await openSample()
    await own.app.listen({ host: '127.0.0.1', port: 0 })
    const at = `http://127.0.0.1:${(own.app.server.address() as AddressInfo).port}/api/boxes`
    const headers = { authorization: 'Bearer ada' }
    const streams = [fetch(`${at}/events`, { headers }), fetch(`${at}/deaf-events`, { headers })].map(
      async (reply) => (await reply).text(),
    )
    const hanging = fetch(`${at}/hang`, { method: 'POST', headers }).then(
      (reply) => reply.status,
      () => 'closed',
    )
    await until(() => own.gates.running.size === 3)
    await own.http.stop(200)
    for (const text of await Promise.all(streams))
      assert.match(text, /data: \{"type":"error","message":"the stream was ended by the panel"\}\n\n$/)
    assert.ok([503, 'closed'].includes(await hanging))
    await assert.rejects(fetch(at, { headers }))
    await until(
      async () =>
        (await own.store.db.selectFrom('changes').select('id').where('state', '=', 'intended').execute())
          .length === 0,
    )
    await own.store.close()
  })
})

describe('stopping, while requests are in progress,', () => {
  const half = '{"label":'
  const rest = ' "late"}'
  const headers = { authorization: 'Bearer ada', 'content-length': String(half.length + rest.length) }
  const begin = (at: number | string) => {
    const socket = connect(at as never).on('error', () => {})
    const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.write(['POST /api/boxes HTTP/1.1', 'Host: x', ...fields, '', half].join('\r\n'))
    return socket
  }

  it('answers them, also on another listener, and closes their connections', async () => {
    const own = await openSample()
    const other = createServer(own.http.listener)
    const path = join(mkdtempSync(join(tmpdir(), 'http-')), 'panel.sock')
    await Promise.all([
      own.app.listen({ host: '127.0.0.1', port: 0 }),
      new Promise<void>((resolve) => other.listen(path, resolve)),
    ])
    let begun = 0
    for (const server of [own.app.server, other]) server.on('request', () => (begun += 1))
    const sockets = [begin((own.app.server.address() as AddressInfo).port), begin(path)]
    await until(() => begun === 2)
    const stopped = own.http.stop(600_000, [other]) // longer than this test may take
    for (const socket of sockets) socket.write(rest)
    for (const said of await Promise.all(sockets.map(text))) assert.match(said, /^HTTP\/1\.1 201 [^]*"late"/)
    await stopped
    await own.store.close()
    rmSync(dirname(path), { recursive: true })
  })

  it('refuses a further one on a connection that is still open with 503 and Retry-After', async () => {
    const own = await openSample()
    await own.app.listen({ host: '127.0.0.1', port: 0 })
    let begun = false
    own.app.server.once('request', () => (begun = true))
    const socket = begin((own.app.server.address() as AddressInfo).port)
    await until(() => begun)
    const stopped = own.http.stop(4000)
    const reply = await own.app.inject({ url: '/api/boxes', headers: { authorization: 'Bearer ada' } })
    assert.deepEqual(
      [reply.statusCode, reply.headers['retry-after'], reply.json().error.code],
      [503, '5', 'unavailable'],
    )
    socket.destroy()
    await stopped
    await own.store.close()
  })
})

describe('a request that arrives while the panel starts', () => {
  it('waits, and is answered once the panel has started, or told to try again', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const starts = [promise, Promise.reject(Busy(undefined, retryAfter(2)))]
    const own = await openSample([], {}, { starting: () => starts.shift() })
    const ask = async () =>
      await own.app.inject({ url: '/api/boxes', headers: { authorization: 'Bearer ada' } })
    const [waiting, refused] = [ask(), await ask()]
    assert.deepEqual([refused.statusCode, refused.headers['retry-after']], [503, '2'])
    resolve()
    assert.deepEqual([(await waiting).statusCode, (await ask()).statusCode], [200, 200])
    await own.http.stop(0)
    await own.store.close()
  })
})

describe('who asks', () => {
  const visitorOf = async (own: typeof sample, remoteAddress: string, headers: Record<string, string>) => {
    await own.app.inject({
      method: 'POST',
      url: '/api/boxes/refused',
      remoteAddress,
      headers: { authorization: 'Bearer ada', ...headers },
      payload: '{"password": "x"}',
    })
    return (
      own.refusals.at(-1) as {
        readonly visitor: { readonly ip: string; readonly refreshCookie?: string; readonly userAgent: string }
      }
    ).visitor
  }

  it('is the address of the connection, whatever X-Forwarded-For says', async () => {
    assert.equal((await visitorOf(sample, '192.0.2.9', { 'x-forwarded-for': '203.0.113.5' })).ip, '192.0.2.9')
  })

  it('is who a configured proxy names, and no other sender is believed', async () => {
    const own = await openSample(['192.0.2.9'])
    assert.equal(
      (await visitorOf(own, '192.0.2.9', { 'x-forwarded-for': '198.51.100.1, 203.0.113.5' })).ip,
      '203.0.113.5',
    )
    assert.equal((await visitorOf(own, '192.0.2.10', { 'x-forwarded-for': '203.0.113.5' })).ip, '192.0.2.10')
    await own.http.stop(10)
    await own.store.close()
  })

  it('brings the refresh cookie by its exact name, and a program name of at most 300 characters', async () => {
    const { refreshCookie, userAgent } = await visitorOf(sample, '192.0.2.9', {
      cookie: 'x_hostreeve_refresh=no; hostreeve_refresh=yes',
      'user-agent': 'x'.repeat(1000),
    })
    assert.deepEqual([refreshCookie, userAgent.length], ['yes', 300])
    assert.equal('refreshCookie' in (await visitorOf(sample, '192.0.2.9', { cookie: 'other=1' })), false)
  })
})
