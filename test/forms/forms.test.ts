import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openApiDocument } from '../../src/surfaces/openapi/document.ts'
import { openForms } from './panel.fixture.ts'

let sample: Awaited<ReturnType<typeof openForms>>
before(async () => void (sample = await openForms()))
after(async () => {
  await sample.http.stop(100)
  await sample.store.close()
})

interface Sent {
  readonly as?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
  readonly text?: string
  readonly from?: string
}

/** Another address than that of other tests, which count refused attempts too. */
const elsewhere = '198.51.100.17'
const here = { from: '127.0.0.1' }

async function call(line: string, { as, headers = {}, body, text, from = elsewhere }: Sent = {}) {
  const [method, path] = line.split(' ') as [string, string]
  const payload = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const reply = await sample.http.app.inject({
    method: method as 'GET',
    url: `/api${path}`,
    headers: { ...(as && { authorization: `Bearer ${as}` }), ...headers },
    ...(payload !== undefined && { payload }),
    remoteAddress: from,
  })
  const isJson = String(reply.headers['content-type']).includes('json')
  return { status: reply.statusCode, json: isJson ? reply.json() : undefined, reply }
}

const codeOf = async (line: string, sent?: Sent) => {
  const { status, json } = await call(line, sent)
  return [status, json?.error?.code]
}
const syncKey = (value: string) => ({ headers: { 'x-panel-sync-key': value } })
const monitorKey = (value: string) => ({ headers: { 'x-telemetry-token': value } })

describe('a key', () => {
  it('admits its holder, and nobody without it, whatever their own credential', async () => {
    assert.equal((await call('GET /forms/sync', syncKey('sync'))).status, 200)
    for (const sent of [{}, syncKey('wrong'), syncKey(''), { as: 'admin' }])
      assert.deepEqual(await codeOf('GET /forms/sync', sent), [401, 'unauthorized'])
  })

  it('admits nobody while none is configured and nothing says who may then', async () => {
    sample.keys.syncKey = undefined
    for (const sent of [{}, syncKey('sync')])
      assert.deepEqual(await codeOf('GET /forms/sync', sent), [401, 'unauthorized'])
    sample.keys.syncKey = ''
    assert.deepEqual(await codeOf('GET /forms/sync', syncKey('')), [401, 'unauthorized'])
    sample.keys.syncKey = 'sync'
  })

  it('may give way to a superuser, and refuses another caller with 403', async () => {
    assert.equal((await call('GET /forms/peer', syncKey('sync'))).status, 200)
    assert.equal((await call('GET /forms/peer', { as: 'admin' })).status, 200)
    assert.deepEqual(await codeOf('GET /forms/peer', { as: 'ada' }), [403, 'forbidden'])
    assert.deepEqual(await codeOf('GET /forms/peer', { as: 'nobody' }), [401, 'unauthorized'])
    assert.deepEqual(await codeOf('GET /forms/peer'), [401, 'unauthorized'])
  })

  it('that is not configured leaves an endpoint to this host alone, not to what a proxy passes on', async () => {
    assert.equal((await call('GET /forms/ping', here)).status, 200)
    assert.deepEqual(await codeOf('GET /forms/ping'), [403, 'forbidden'])
    for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
      assert.deepEqual(await codeOf('GET /forms/ping', { ...here, headers: { [name]: '127.0.0.1' } }), [
        403,
        'forbidden',
      ])
  })

  it('that is not configured may ask for a superuser as well', async () => {
    assert.equal((await call('GET /forms/push', { ...here, as: 'admin' })).status, 200)
    assert.deepEqual(await codeOf('GET /forms/push', here), [401, 'unauthorized'])
    assert.deepEqual(await codeOf('GET /forms/push', { ...here, as: 'ada' }), [403, 'forbidden'])
    assert.deepEqual(await codeOf('GET /forms/push', { as: 'admin' }), [403, 'forbidden'])
  })

  it('that is configured is asked for on this host too', async () => {
    sample.keys.monitorKey = 'monitor'
    assert.deepEqual(await codeOf('GET /forms/ping', here), [401, 'unauthorized'])
    assert.equal((await call('GET /forms/ping', monitorKey('monitor'))).status, 200)
    sample.keys.monitorKey = undefined
  })

  it('is guessed at most 60 times a minute from one address', async () => {
    const guess = (from: string) => codeOf('GET /forms/sync', { ...syncKey('guess'), from })
    for (let count = 0; count < 60; count++)
      assert.deepEqual(await guess('198.51.100.8'), [401, 'unauthorized'])
    assert.deepEqual(await guess('198.51.100.8'), [429, 'rate_limited'])
    assert.deepEqual(await guess('198.51.100.9'), [401, 'unauthorized'])
  })

  it('makes its owner the caller, as a bearer or in the query', async () => {
    assert.equal((await call('GET /forms/whose', { as: 'mcp_1' })).json.data.email, '3@example.com')
    assert.equal((await call('GET /forms/whose?token=mcp_1')).json.data.email, '3@example.com')
    assert.deepEqual(await codeOf('GET /forms/whose?token=mcp_1', { as: 'admin' }), [401, 'unauthorized'])
  })
})

describe('a probe', () => {
  beforeEach(() => void sample.entries.splice(0))

  it('is answered, recorded with its outcome, and has no plan', async () => {
    const probe = (host: string, query = '') =>
      call(`POST /forms/probe${query}`, { as: 'ada', body: { host } })
    assert.deepEqual((await probe('up', '?plan=1')).json, { data: { success: true } })
    assert.deepEqual(sample.keys.probes, ['up'])
    assert.deepEqual((await probe('down')).json.error.code, 'refused')
    assert.deepEqual(
      sample.entries.map(({ action, status, message, caller }) => [action, status, message, caller?.user.id]),
      [
        ['forms_probe', 'ok', 'Reach another host', 2],
        ['forms_probe', 'failed', 'host: down does not answer', 2],
      ],
    )
  })

  it('is not recorded where its body does not bind', async () => {
    assert.deepEqual(await codeOf('POST /forms/probe', { as: 'ada', body: {} }), [400, 'bad_request'])
    assert.deepEqual(sample.entries, [])
  })
})

describe('a failure', () => {
  const as = 'ada'

  it('may be an error envelope with status 200', async () => {
    assert.deepEqual(await codeOf('GET /forms/restore', { as }), [200, 'no_backups'])
  })

  it('may pass on the status of a program, where that is a failure', async () => {
    for (const [sent, answered] of [
      [422, 422],
      [404, 404],
      [200, 502],
      [101, 502],
      [600, 502],
    ])
      assert.deepEqual(await codeOf(`GET /forms/zone/${sent}`, { as }), [answered, 'dns_backend_error'])
  })

  it('may say more than code and message, as its kind declares', async () => {
    const { json } = await call('GET /forms/manager', { as })
    assert.deepEqual(json, {
      error: { code: 'process_manager_error', message: 'it stopped', output: 'exit 3' },
    })
  })

  it('of a body that does not bind may have a code and status of its own', async () => {
    for (const sent of [{ text: 'no json' }, { body: {} }, { body: { name: 5 } }])
      assert.deepEqual(await codeOf('POST /forms/search', { as, ...sent }), [422, 'invalid_body'])
    assert.equal((await call('POST /forms/search', { as, body: { name: 'x' } })).status, 201)
  })

  it('may be flat and enveloped on one endpoint, as may its reply', async () => {
    const license = (sent: Sent) => call('POST /forms/license', { as, ...sent })
    const flat = await license({ text: 'no json' })
    assert.deepEqual([flat.status, typeof flat.json.error], [400, 'string'])
    assert.deepEqual((await license({ body: { license_key: 'wrong' } })).json, {
      error: { code: 'activation_failed', message: 'the server refused it' },
    })
    assert.deepEqual((await license({ body: {} })).json, { status: 'already_licensed' })
    assert.deepEqual((await license({ body: { license_key: 'right' } })).json, { data: { tier: 'gold' } })
    assert.equal((await call('POST /forms/license', { body: {} })).json.error.code, 'unauthorized')
  })
})

describe('JSON-RPC', () => {
  const as = 'mcp_1'

  it('answers as it is below another base of the area, and 202 without a body', async () => {
    assert.deepEqual((await call('POST /rpc', { as, body: { id: 1 } })).json, {
      jsonrpc: '2.0',
      id: 1,
      result: 2,
    })
    const { status, reply } = await call('POST /rpc', { as, body: {} })
    assert.deepEqual([status, reply.body], [202, ''])
  })

  it('refuses every other method in plain text, before any credential', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, reply } = await call(`${method} /rpc`)
      assert.deepEqual([status, reply.headers['allow']], [405, 'POST'])
      assert.match(String(reply.headers['content-type']), /^text\/plain/)
    }
  })

  it('refuses a foreign origin before the key, and takes its own', async () => {
    const headers = { origin: 'https://evil.example' }
    const sent = { as, body: { id: 1 } }
    assert.deepEqual(await codeOf('POST /rpc', { ...sent, headers }), [403, 'forbidden'])
    assert.deepEqual(await codeOf('POST /rpc', { headers }), [403, 'forbidden'])
    const own = { host: 'localhost:7070', origin: 'http://localhost:7070' }
    assert.equal((await call('POST /rpc', { ...sent, headers: own })).status, 200)
  })
})

describe('a feature', () => {
  it('is asked for after the guard and before the plugin, also of open endpoints', async () => {
    const asked = () => codeOf('GET /licensed', { as: 'admin' })
    assert.deepEqual(await codeOf('GET /licensed', { as: 'ada' }), [403, 'forbidden'])
    assert.deepEqual(await asked(), [403, 'feature_disabled'])
    assert.deepEqual(await codeOf('GET /licensed/open'), [403, 'feature_disabled'])
    sample.switches.feature = true
    assert.deepEqual(await asked(), [403, 'plugin_disabled'])
    sample.switches.plugin = true
    assert.deepEqual(await asked(), [200, undefined])
  })
})

describe('the published document', () => {
  it('describes guards, effects and failures of these forms', () => {
    const { paths } = openApiDocument(sample.routes, 'test') as {
      readonly paths: Record<string, Record<string, Record<string, unknown>>>
    }
    const guards = new Set(
      Object.values(paths).flatMap((methods) => Object.values(methods).map((each) => each['x-guard'])),
    )
    assert.ok(guards.has('KEY(X-Panel-Sync-Key) or SU') && guards.has('SOCKET(terminal)'))
    assert.ok(guards.has('SU+FEATURE(mailbox_backup)+PLUGIN(mailbox-backup)'))
    assert.equal(paths['/api/forms/probe']?.['post']?.['x-effect'], 'probes')
    const answers = Object.keys(paths['/api/forms/search']?.['post']?.['responses'] ?? {})
    for (const status of ['201', '401', '422']) assert.ok(answers.includes(status), status)
    assert.ok(!answers.includes('404'), 'it names nothing that may be missing')
    assert.equal(paths['/api/forms/search']?.['post']?.['x-local'], 'a sample of a search')
    const manager = JSON.stringify(paths['/api/forms/manager'])
    assert.match(manager, /"error":\{"type":"object","properties":\{"code":\{[^}]*\},"output":/)
    assert.match(JSON.stringify(paths['/api/forms/restore']), /"200":\{.*"anyOf":\[.*Success.*Error/)
    assert.deepEqual(paths['/api/forms/peer']?.['get']?.['security'], [
      { 'key_X-Panel-Sync-Key': [] },
      { bearer: [] },
    ])
  })
})
