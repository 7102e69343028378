import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { openTestPanel, type Person, type TestPanel } from '../../../test/support/panel.ts'
import { until } from '../../../test/support/until.ts'
import { openDoor } from './testing/client.ts'
import { standInShells, type StandInShells } from './testing/stand-in-shells.ts'

const accounts = new Map([
  ['ada', { uid: 1001 }],
  ['bob', { uid: 1002 }],
  ['daemon', { uid: 1 }],
])
let panel: TestPanel
let shells: StandInShells
let door: Awaited<ReturnType<typeof openDoor>>
let ada: Person
before(async () => {
  shells = standInShells()
  panel = await openTestPanel({ accounts, terminals: shells })
  door = await openDoor(panel)
  ada = await panel.person({ username: 'ada', permissions: ['terminal_access'] })
})
after(() => panel.close())
beforeEach(() => void shells.opened.splice(0))

const shell = () => until(() => shells.opened.at(-1))
const entries = async (action: string) => {
  const { data } = await panel.request('GET', `/api/activity?limit=100`, { as: panel.admin })
  return data.items.filter((each: any) => each.action === action)
}
const open = async (as = ada, query: Record<string, string> = {}) => door.open(as, { uid: as.id, query })

describe('a terminal', () => {
  it('carries bytes both ways, is resized, and ends with its shell', async () => {
    const client = await open()
    const own = await shell()
    assert.equal(own.username, 'ada')
    assert.deepEqual(client.messages[0].resumed, false)
    client.type('ls\r')
    client.send({ type: 'resize', cols: 132, rows: 43 })
    await until(() => own.sizes.length === 2)
    assert.deepEqual([own.typed, own.sizes[1]], [['ls\r'], { type: 'resize', cols: 132, rows: 43 }])
    own.print(Buffer.from([0xc3]))
    own.print(Buffer.from([0xa9]))
    own.exit(3)
    assert.deepEqual(await client.closed, [1000, ''])
    assert.deepEqual(client.messages.at(-1), { type: 'exit', code: 3 })
  })

  it('records its opening and its end', async () => {
    const client = await open()
    const own = await shell()
    own.exit(0)
    await client.closed
    const closed = await until(async () => (await entries('terminal_closed'))[0])
    assert.deepEqual(
      [closed.title, closed.message, closed.user_id],
      ['Close a terminal', 'Closed the terminal of ada: the shell ended with exit status 0', ada.id],
    )
    const [opened] = await entries('terminal_open_terminal')
    assert.deepEqual([opened.user_id, opened.path], [ada.id, `/api/users/${ada.id}/terminal`])
    assert.doesNotMatch(JSON.stringify(opened), /eyJ/)
  })

  it('is hung up when its user closes it', async () => {
    const client = await open()
    client.send({ type: 'close' })
    assert.deepEqual(await client.closed, [1000, ''])
    assert.equal((await shell()).endedBy, 'hang-up')
  })

  it('is closed by a text message that is none of its own', async () => {
    for (const text of ['no JSON', '{"type":"resize","cols":0,"rows":5}', '{"type":"resize"}', '[]', '"x"']) {
      const client = await open()
      client.socket.send(text)
      assert.deepEqual(await client.closed, [1008, 'A text message was not understood'])
      const { terminal } = client.messages[0]
      const again = await open(ada, { resume: terminal })
      again.send({ type: 'close' })
      await again.closed
    }
  })

  it('takes at most 1 MiB a message, and is kept', async () => {
    const client = await open()
    client.socket.send(Buffer.alloc(1024 * 1024 + 1))
    assert.equal((await client.closed)[0], 1009)
    const again = await open(ada, { resume: client.messages[0].terminal })
    assert.equal(again.messages[0].resumed, true)
    again.send({ type: 'close' })
    await again.closed
  })
})

describe('a terminal whose connection is lost', () => {
  it('is shown again with its last 256 KiB of output', async () => {
    const client = await open()
    const own = await shell()
    client.socket.terminate()
    await client.closed
    own.print('x'.repeat(300_000))
    own.print('the end')
    const again = await open(ada, { resume: client.messages[0].terminal })
    await again.shows(/the end$/)
    assert.equal(again.text().length, 256 * 1024)
    assert.deepEqual([again.messages[0].resumed, shells.opened.length], [true, 1])
    own.exit(0)
    await again.closed
  })

  it('moves to a second window, and the first is told', async () => {
    const first = await open()
    const second = await open(ada, { resume: first.messages[0].terminal })
    assert.deepEqual(await first.closed, [4001, 'The terminal was opened in another window'])
    second.type('here')
    const own = await shell()
    await until(() => own.typed.length > 0)
    own.exit(0)
    await second.closed
  })

  it('is opened anew for another session, user or account', async () => {
    const first = await open()
    const resume = first.messages[0].terminal
    const signedInAgain = await panel.request('POST', '/api/auth/login', {
      body: { email: ada.email, password: ada.password },
    })
    const other = { ...ada, token: signedInAgain.data.access_token }
    const clients = [
      await open(other, { resume }),
      await door.open(panel.admin, { uid: ada.id, query: { resume } }),
    ]
    for (const client of clients) {
      assert.equal(client.messages[0].resumed, false)
      client.send({ type: 'close' })
      await client.closed
    }
    first.send({ type: 'close' })
    await first.closed
  })
})

describe('a slow reader', () => {
  it('lets the program wait', async () => {
    const client = await open()
    const own = await shell()
    client.socket.pause()
    for (let count = 0; count < 400 && !own.isPaused; count += 1) own.print(Buffer.alloc(64 * 1024, 120))
    assert.equal(own.isPaused, true)
    client.socket.resume()
    await until(() => !own.isPaused)
    own.exit(0)
    await client.closed
  })
})

describe('who may open a terminal', () => {
  it('refuses others than the contract admits', async () => {
    const plain = await panel.person({ username: 'bob' })
    const homeless = await panel.person({ permissions: ['terminal_access'] })
    const system = await panel.person({ permissions: ['terminal_access'], username: 'daemon' })
    const cases: readonly [
      Person,
      { uid: number | string; query?: Record<string, string> },
      number,
      string,
    ][] = [
      [plain, { uid: plain.id }, 403, 'forbidden'],
      [ada, { uid: plain.id }, 403, 'forbidden'],
      [ada, { uid: 999_999 }, 403, 'forbidden'],
      [ada, { uid: ada.id, query: { username: 'ada' } }, 403, 'forbidden'],
      [ada, { uid: 'ada' }, 400, 'bad_request'],
      [homeless, { uid: homeless.id }, 400, 'bad_request'],
      [system, { uid: system.id }, 400, 'bad_request'],
      [panel.admin, { uid: 999_999 }, 404, 'not_found'],
      [panel.admin, { uid: ada.id, query: { username: 'nobody-here' } }, 404, 'not_found'],
      [panel.admin, { uid: ada.id, query: { username: '-root' } }, 400, 'bad_request'],
      [panel.admin, { uid: ada.id, query: { username: 'a\nb' } }, 400, 'bad_request'],
      [panel.admin, { uid: ada.id, query: { username: 'a'.repeat(10_000) } }, 400, 'bad_request'],
    ]
    for (const [as, asked, status, code] of cases)
      assert.deepEqual(await door.refusal(as, asked), [status, code], JSON.stringify(asked))
    assert.equal(shells.opened.length, 0)
  })

  it('lets a superuser name any account of the host', async () => {
    for (const username of ['daemon', 'bob', 'ada']) {
      const client = await door.open(panel.admin, { uid: panel.admin.id, query: { username } })
      assert.equal((await shell()).username, username)
      client.send({ type: 'close' })
      await client.closed
    }
  })

  it('answers 503 with the reason where none can be opened', async () => {
    shells.problem = 'The panel does not run as root'
    assert.deepEqual(await door.refusal(ada, { uid: ada.id }), [503, 'unavailable'])
    shells.problem = undefined
  })

  it('opens ten terminals for one user at most', async () => {
    const clients = []
    for (let count = 0; count < 10; count += 1) clients.push(await open())
    assert.deepEqual(await door.refusal(ada, { uid: ada.id }), [409, 'conflict'])
    for (const client of clients) client.send({ type: 'close' })
    await Promise.all(clients.map(({ closed }) => closed))
    const client = await open()
    client.send({ type: 'close' })
    await client.closed
  })
})

describe('the token of a terminal', () => {
  const refused = (token: string, headers = {}) => door.refusal(ada, { uid: ada.id, token, headers })

  it('is refused where it is used, forged, for another purpose or from another site', async () => {
    const used = await door.tokenOf(ada, { purpose: 'terminal' })
    const client = await door.open(ada, { uid: ada.id, token: used })
    client.send({ type: 'close' })
    await client.closed
    const fresh = await door.tokenOf(ada, { purpose: 'terminal' })
    const [head, body] = fresh.split('.')
    const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')
    for (const token of [
      used,
      await door.tokenOf(ada, { purpose: 'container' }),
      `${fresh}x`,
      `${head}.${body}.`,
      `${none}.${body}.`,
      ada.token,
      '',
    ])
      assert.deepEqual(await refused(token), [401, 'unauthorized'], token)
    assert.deepEqual(await refused(fresh, { origin: 'https://evil.example' }), [403, 'forbidden'])
  })

  it('opens the terminal of the user that it names only', async () => {
    const token = await door.tokenOf(panel.admin, { purpose: 'terminal', uid: panel.admin.id })
    assert.deepEqual(await door.refusal(panel.admin, { uid: ada.id, token }), [403, 'forbidden'])
  })

  it('ends with the session and the API key that asked for it', async () => {
    const { person: leaving, key } = await newcomer('leaving')
    const bySession = await door.tokenOf(leaving, { purpose: 'terminal' })
    const byKey = await door.tokenOf(key.key, { purpose: 'terminal' })
    await panel.request('DELETE', `/api/auth/api-keys/${key.id}`, { as: leaving })
    await panel.request('POST', '/api/auth/logout', { as: leaving })
    for (const token of [bySession, byKey])
      assert.deepEqual(await door.refusal(leaving, { uid: leaving.id, token }), [401, 'unauthorized'])
  })

  it('is refused for a purpose that does not exist', async () => {
    const { status, error } = await panel.request('POST', '/api/auth/socket-token', {
      as: ada,
      body: { purpose: 'root' },
    })
    assert.deepEqual([status, error.code], [400, 'bad_request'])
  })
})

describe('a terminal', () => {
  it('is killed at the end of what opened it', async () => {
    const asAdmin = (path: string, method: string, body?: object) =>
      panel.request(method, path, { as: panel.admin, body })
    const ends: readonly ((person: Person, keyId: number) => Promise<{ status: number }>)[] = [
      (person) => panel.request('POST', '/api/auth/logout', { as: person }),
      (person) => asAdmin(`/api/users/${person.id}`, 'PATCH', { is_suspended: true }),
      (person) =>
        asAdmin('/api/auth/reset-password', 'POST', { email: person.email, password: 'a new pass phrase' }),
      (person, keyId) => asAdmin(`/api/users/${person.id}/api-keys/${keyId}`, 'DELETE'),
    ]
    for (const [index, end] of ends.entries()) {
      const { person, key } = await newcomer(`user${index}`)
      const isByKey = index === ends.length - 1
      const client = await door.open(isByKey ? key.key : person, { uid: person.id })
      const own = await shell()
      assert.equal((await end(person, key.id)).status, 200)
      assert.deepEqual(await client.closed, [1008, 'Your session or API key has ended'])
      await until(() => own.endedBy === 'kill')
    }
    const closed = await until(async () => (await entries('terminal_closed'))[0])
    assert.match(closed.message, /the session or API key that opened it has ended/)
  })

  it('that nobody looks at is killed too', async () => {
    const { person } = await newcomer('away')
    const client = await door.open(person, { uid: person.id })
    const own = await shell()
    client.socket.terminate()
    await client.closed
    await panel.request('POST', '/api/auth/logout', { as: person })
    await until(() => own.endedBy === 'kill')
  })
})

async function newcomer(username: string) {
  accounts.set(username, { uid: 1100 + accounts.size })
  const person = await panel.person({ username, permissions: ['terminal_access'] })
  const { data: key } = await panel.request('POST', '/api/auth/api-keys', { as: person, body: { name: 'k' } })
  return { person, key }
}
