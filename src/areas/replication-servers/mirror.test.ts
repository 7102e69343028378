import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { makeCertificate } from '../../host/fetch/testing/certificate.ts'
import { TwoPanels } from './testing/two-panels.ts'

const rounds = 200
const password = 'correct horse battery'

describe('changes that another panel repeats', () => {
  const panels = new TwoPanels()
  let id: number
  before(async () => {
    await panels.open()
    id = await panels.connect(['users', 'plugins'])
  })
  after(() => panels.close())

  const onFirst = (method: string, path: string, body?: unknown, headers = {}) =>
    panels.first.request(method, path, {
      as: panels.first.admin,
      headers,
      ...(body !== undefined && { body }),
    })
  const addUser = async (name: string): Promise<number> => {
    const body = { email: `${name}@example.com`, fullname: name, password }
    const { status, data, text } = await onFirst('POST', '/api/users', body)
    assert.equal(status, 201, text)
    return data.id
  }
  const thereIs = async (email: string) =>
    (await panels.second.store.db.selectFrom('users').selectAll().where('email', '=', email).execute())[0]

  it('arrive by the name of the row, whatever its id there, with the secret that was sent', async () => {
    for (let more = 0; more < 3; more++) await panels.second.person()
    const uid = await addUser('grace')
    await panels.delivered(id)
    const there = await until(() => thereIs('grace@example.com'))
    assert.notEqual(there.id, uid)
    const signedIn = await panels.second.request('POST', '/api/auth/login', {
      body: { email: 'grace@example.com', password },
    })
    assert.equal(signedIn.status, 200, signedIn.text)
    await onFirst('PATCH', `/api/users/${uid}`, { fullname: 'Grace H.' })
    const [action] = await panels.delivered(id)
    assert.deepEqual(
      [action.status, action.method, action.endpoint, action.category, action.response_code],
      ['success', 'PATCH', `/api/users/${uid}`, 'users', 200],
    )
    assert.equal((await thereIs('grace@example.com'))?.fullname, 'Grace H.')
    assert.doesNotMatch(JSON.stringify(await panels.log(id)), new RegExp(password))
  })

  it('are none where the change was refused, or only planned, or is of another category', async () => {
    const count = (await panels.log(id)).length
    assert.equal((await onFirst('POST', '/api/users', { email: 'no' })).status, 400)
    assert.equal(
      (await onFirst('POST', '/api/users', { email: 'grace@example.com', fullname: 'x', password })).status,
      400,
    )
    const planned = { email: 'plan@example.com', fullname: 'x', password }
    assert.equal((await onFirst('POST', '/api/users?plan=1', planned)).status, 200)
    assert.equal(
      (await onFirst('POST', '/api/settings/website-creation-lock', { locked: false })).status,
      200,
    )
    assert.equal((await panels.log(id)).length, count)
  })

  it(`arrive once and in order over ${rounds} changes, though both sides are cut and closed`, async () => {
    const people = [await addUser('p0'), await addUser('p1'), await addUser('p2')]
    await panels.delivered(id)
    const last = new Map<number, string>()
    const names: string[] = []
    for (let round = 0; round < rounds; round++) {
      const uid = people[Math.floor(Math.random() * people.length)] as number
      const fullname = `round ${round}`
      const { status, text } = await onFirst('PATCH', `/api/users/${uid}`, { fullname })
      assert.equal(status, 200, text)
      names.push(fullname)
      last.set(uid, fullname)
      const dice = Math.random()
      if (dice < 0.15) panels.cut()
      else if (dice < 0.2) await panels.hurry()
      if (round % 50 === 20) await panels.reopenFirst()
      if (round % 50 === 35) await panels.reopenSecond()
      if (round % 50 === 45) {
        await panels.stopServing()
        await panels.serve()
      }
    }
    const actions = await panels.delivered(id)
    assert.deepEqual(
      actions.filter(({ status }) => status !== 'success'),
      [],
    )
    const entries = await panels.second.store.db
      .selectFrom('activity')
      .select(['request', 'status'])
      .where('method', '=', 'PATCH')
      .orderBy('id')
      .execute()
    const arrived = entries
      .filter(({ status }) => status === 'ok')
      .map(({ request }) => String(JSON.parse(request).body.fullname))
      .filter((name) => name.startsWith('round '))
    assert.deepEqual(arrived, names)
    for (const [uid, fullname] of last) {
      const own = await panels.first.store.db
        .selectFrom('users')
        .select('email')
        .where('id', '=', uid)
        .executeTakeFirstOrThrow()
      assert.equal((await thereIs(own.email))?.fullname, fullname)
    }
  })

  it('have succeeded though the answer was lost to what renamed or deleted the row that they name', async () => {
    const uid = await addUser('lost')
    await panels.delivered(id)
    let lost = 0
    panels.answer = (request, response) => {
      if (!['PATCH', 'DELETE'].includes(request.method ?? '')) return false
      if (request.headers['x-replication-source'] === undefined || lost > 0) return false
      lost++
      response.writeHead = () => {
        request.socket.destroy()
        return response
      }
      return false
    }
    const entries = async (method: string) =>
      panels.second.store.db
        .selectFrom('activity')
        .select('id')
        .where('method', '=', method)
        .where('path', 'like', '/api/users/%')
        .where('status', '=', 'ok')
        .execute()
    for (const [method, body] of [
      ['PATCH', { email: 'renamed@example.com' }],
      ['DELETE', undefined],
    ] as const) {
      lost = 0
      const { length: before } = await entries(method)
      assert.ok((await onFirst(method, `/api/users/${uid}`, body)).status < 300)
      const [action] = await panels.delivered(id)
      assert.deepEqual([action.method, action.status, action.error_message, lost], [method, 'success', '', 1])
      assert.equal((await entries(method)).length, before + 1)
    }
    panels.answer = () => false
    assert.equal(await thereIs('renamed@example.com'), undefined)
  })

  it('wait in order while a server is disabled, and go no further from the server that repeats them', async () => {
    // the second panel repeats its changes on the first: a loop, were it not cut
    const { data: key } = await onFirst('POST', '/api/auth/api-keys', { name: 'back' })
    const back = await panels.second.request('POST', '/api/replication-servers', {
      as: panels.second.admin,
      body: { name: 'first', host: '127.0.0.1', port: 1, api_key: key.key },
    })
    await panels.second.request('PUT', `/api/replication-servers/${back.data.id}/categories`, {
      as: panels.second.admin,
      body: { categories: { users: true } },
    })
    await panels.must('POST', `/${id}/toggle`, { enabled: false })
    await addUser('waits')
    const [waiting] = await panels.log(id)
    assert.equal(waiting.status, 'pending')
    assert.equal((await panels.must('GET', `/${id}`)).pending, 1)
    await panels.must('POST', `/${id}/toggle`, { enabled: true })
    await panels.delivered(id)
    assert.ok(await thereIs('waits@example.com'))
    const loop = await panels.second.request('GET', `/api/replication-servers/${back.data.id}/action-log`, {
      as: panels.second.admin,
    })
    assert.deepEqual(loop.data, [])
    // an own change of the second panel is repeated
    await panels.second.request('POST', '/api/users', {
      as: panels.second.admin,
      body: { email: 'own@example.com', fullname: 'own', password },
    })
    const own = await panels.second.request('GET', `/api/replication-servers/${back.data.id}/action-log`, {
      as: panels.second.admin,
    })
    assert.equal(own.data.length, 1)
  })

  it('are repeated although somebody without a superuser’s key claims that they came from a panel', async () => {
    const count = (await panels.log(id)).length
    await onFirst(
      'POST',
      '/api/users',
      { email: 'claim@example.com', fullname: 'x', password },
      {
        'x-replication-source': 'peer:1',
      },
    )
    assert.equal((await panels.log(id)).length, count + 1)
    await panels.delivered(id)
  })

  it('are made in the name of the same user, who has to be there', async () => {
    const keeper = await panels.first.person({
      email: 'keeper@example.com',
      permissions: ['booting_users_management'],
    })
    const body = { email: 'kept@example.com', fullname: 'x', password }
    const create = (as = keeper) => panels.first.request('POST', '/api/users', { as, body })
    assert.equal((await create()).status, 201)
    const [refused] = await panels.delivered(id)
    assert.deepEqual([refused.status, refused.response_code], ['failed', 403])
    assert.match(refused.error_message, /no active user keeper@example.com here/)
    const there = await panels.second.person({
      email: 'keeper@example.com',
      permissions: ['booting_users_management'],
    })
    const retried = await panels.must('POST', `/${id}/action-log/${refused.id}/retry`)
    assert.deepEqual(retried, { success: true, response_code: 201 })
    const entry = await panels.second.store.db
      .selectFrom('activity')
      .select(['user_id', 'request'])
      .where('path', '=', '/api/users')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    assert.equal(entry.user_id, there.id)
    assert.equal(JSON.parse(entry.request).source, `peer:${id}`)
    const again = await panels.must('POST', `/${id}/action-log/${refused.id}/retry`)
    assert.equal(again.success, true, 'what was done there is not done again')
    const [row] = await panels.log(id)
    assert.deepEqual([row.status, row.retry_count, row.error_message], ['success', 2, ''])
  })

  it('stay in the log with the reason, where the other server refuses them or its endpoint is gone', async () => {
    await panels.second.request('POST', '/api/users', {
      as: panels.second.admin,
      body: { email: 'taken@example.com', fullname: 'there', password },
    })
    await addUser('taken')
    const [refused] = await panels.delivered(id)
    assert.equal(refused.status, 'failed')
    assert.match(refused.error_message, /e-?mail/i)
    panels.answer = (request, response) => {
      if (request.method !== 'POST') return false
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end('{"error":{"message":"There is no such path"}}')
      return true
    }
    const gone = await panels.must('POST', `/${id}/action-log/${refused.id}/retry`)
    panels.answer = () => false
    assert.deepEqual(gone, { success: false, response_code: 404, error: 'There is no such path' })
    assert.equal((await panels.log(id))[0].retry_count, 1)
  })

  it('wait while the other server answers garbage or errors, and arrive afterwards', async () => {
    for (const [status, text, reason] of [
      [200, '<html>hello</html>', /200: that is no answer of a panel/],
      [503, '{"error":{"message":"The panel is busy"}}', /503: The panel is busy/],
      [401, '{"error":{"message":"Sign in"}}', /401: Sign in/],
    ] as const) {
      panels.answer = (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(text)
        return true
      }
      await addUser(`late-${status}`)
      const action = await until(async () => {
        const [row] = await panels.log(id)
        return row.error_message !== '' && row
      })
      assert.equal(action.status, 'pending')
      assert.match(action.error_message, reason)
      await until(async () => (await panels.must('GET', `/${id}`)).status === 'error')
      panels.answer = () => false
      await panels.delivered(id)
      assert.ok(await thereIs(`late-${status}@example.com`))
      await until(async () => (await panels.must('GET', `/${id}`)).status === 'active')
    }
  })

  it('hold up neither this panel nor another server while a server never answers, and arrive once', async () => {
    const { id: other } = await panels.must('POST', '', {
      ...{ name: 'other', host: '127.0.0.1', port: 1, api_key: await panels.key() },
    })
    await panels.must('PUT', `/${other}/categories`, { categories: { users: true } })
    let held = 0
    panels.answer = () => {
      held++
      return true
    }
    await addUser('silent')
    await until(() => held === 1)
    await addUser('after') // this panel goes on
    await until(async () => (await panels.must('GET', `/${other}`)).status === 'error')
    assert.equal((await panels.must('GET', `/${id}`)).pending, 2)
    assert.equal(held, 1) // the next one waits for its turn
    panels.answer = () => false
    panels.cut()
    const [after, silent] = await panels.delivered(id)
    assert.deepEqual([silent.status, after.status], ['success', 'success'])
    const users = await panels.second.store.db.selectFrom('users').select('email').execute()
    const arrived = users.filter(({ email }) => /^(silent|after)@/.test(email))
    assert.equal(arrived.length, 2)
    await panels.must('DELETE', `/${other}`)
  })

  it('are not sent to a server with another public key, until that is trusted', async () => {
    await panels.stopServing()
    await panels.serve(await makeCertificate('localhost'))
    let requests = 0
    panels.answer = () => {
      requests++
      return false
    }
    await addUser('pinned')
    const action = await until(async () => {
      await panels.hurry()
      const [row] = await panels.log(id)
      return row.error_message !== '' && row
    })
    assert.match(action.error_message, /another public key/)
    assert.equal(requests, 0)
    const tested = await panels.must('POST', `/${id}/test`)
    assert.equal(tested.status, 'error')
    assert.ok(tested.message.includes(panels.publicKey), tested.message)
    const trusted = await panels.must('POST', `/${id}/test`, { trust: true })
    assert.deepEqual([trusted.status, trusted.public_key], ['active', panels.publicKey])
    panels.answer = () => false
    await panels.delivered(id)
    assert.ok(await thereIs('pinned@example.com'))
  })

  it('are sent at the first contact, whose public key is kept, also after another API key', async () => {
    await panels.stopServing()
    await panels.serve(await makeCertificate('localhost'))
    await panels.must('PUT', `/${id}`, { api_key: await panels.key() })
    assert.equal((await panels.must('GET', `/${id}`)).public_key, '')
    await addUser('contact')
    await panels.delivered(id)
    assert.ok(await thereIs('contact@example.com'))
    assert.equal((await panels.must('GET', `/${id}`)).public_key, panels.publicKey)
  })

  it('are sent again to a server that is disabled', async () => {
    const [last] = await panels.log(id)
    await panels.must('POST', `/${id}/toggle`, { enabled: false })
    const retried = await panels.must('POST', `/${id}/action-log/${last.id}/retry`)
    assert.equal(retried.success, true)
    assert.equal((await panels.must('GET', `/${id}`)).status, 'disabled')
    await panels.must('POST', `/${id}/toggle`, { enabled: true })
  })

  it('lock the creation of websites there while websites are repeated', async () => {
    const locked = async () =>
      (await panels.second.request('GET', '/api/settings/website-creation-lock', { as: panels.second.admin }))
        .data.locked
    await panels.must('PATCH', `/${id}/categories/websites`, { enabled: true })
    await panels.delivered(id)
    assert.equal(await locked(), true)
    const used = await panels.ask('DELETE', `/${id}`)
    assert.deepEqual(
      [used.status, used.error.message],
      [400, 'Cannot delete: 1 replications use this server'],
    )
    await panels.must('PUT', `/${id}/categories`, { categories: { websites: false } })
    await panels.delivered(id)
    assert.equal(await locked(), false)
    await panels.must('DELETE', `/${id}`)
    assert.equal((await panels.ask('GET', `/${id}`)).status, 404)
  })
})
