import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { field, file, formType, last, openUploads, type Sent } from './testing/sample-uploads.ts'
import { until } from '../../../test/support/until.ts'

let uploads: Awaited<ReturnType<typeof openUploads>>
before(async () => {
  uploads = await openUploads()
})
after(() => uploads.close())
beforeEach(() => uploads.forget())
const kept = () => uploads.sample.boxes.uploads

const path = field('path', '/a')

describe('a form', () => {
  /**
   * Each is refused with a message that names the mistake; nothing is carried out, and nothing counts as a
   * bug.
   */
  const refused: readonly (readonly [string, string, RegExp, Sent?])[] = [
    ['is no form at all', 'garbage', /^body: must be multipart\/form-data, whole/],
    [
      'names no boundary',
      `${path}${file('a', '1')}${last}`,
      /^Content-Type: .* boundary/,
      { type: 'multipart/form-data' },
    ],
    [
      'names an empty boundary',
      `${path}${file('a', '1')}${last}`,
      /^Content-Type: .* boundary/,
      { type: 'multipart/form-data; boundary=' },
    ],
    [
      'names an empty boundary in quotes',
      'garbage',
      /^Content-Type: .* boundary/,
      { type: 'multipart/form-data; boundary=""' },
    ],
    ['is cut off in a field', `${path.slice(0, -2)}`, /^body: must be .* whole/],
    ['is cut off in the head of a part', `${path}--x\r\nContent-Dispo`, /^body: must be .* whole/],
    ['is cut off in its file', `${path}${file('a', '1').slice(0, -2)}`, /^body: must be .* whole/],
    ['lacks its last boundary', `${path}${file('a', '1')}`, /^body: must be .* whole/],
    [
      'holds two files',
      `${path}${file('a', '1')}${file('b.txt', '2')}${last}`,
      /^file: "b\.txt" is a second one/,
    ],
    [
      'holds two large files',
      `${path}${file('a', '1'.repeat(90_000))}${file('b', '2'.repeat(900_000))}${last}`,
      /^file: "b" is a second one/,
    ],
    ['holds no file', `${path}${last}`, /^file: is required/],
    ['has a file without a filename', `${path}${field('file', '1')}${last}`, /^file: .* with a filename/],
    ['has a field twice', `${path}${path}${file('a', '1')}${last}`, /^path: is there twice/],
    [
      'has a field after the file',
      `${file('a', '1')}${path}${last}`,
      /^path: must come before the file/,
      { query: '?path=%2Fb' },
    ],
    [
      'has a field beyond its limit',
      `${field('path', 'x'.repeat(65_537))}${file('a', '1')}${last}`,
      /^path: must be at most 65536 bytes/,
    ],
    [
      'has too many fields',
      `${path}${field('n', '1').repeat(60)}${file('a', '1')}${last}`,
      /^body: .* at most 50 fields/,
    ],
    [
      'has too many parts',
      `${path}${'--x\r\nX-Y: z\r\n\r\n1\r\n'.repeat(70)}${file('a', '1')}${last}`,
      /^body: .* at most 60 parts/,
    ],
    [
      'has a field of a name that none may have',
      `${path}${field('__proto__', '1')}${file('a', '1')}${last}`,
      /^body: .* name that no field/,
    ],
    [
      'has a field that is not the JSON it says',
      `${field('path', '{', 'application/json')}${last}`,
      /^body: .* application\/json/,
    ],
  ]
  for (const [what, body, refusal, more] of refused)
    it(`that ${what} is 400 in refusal, and nothing is carried out`, async () => {
      const { status, code, message } = await uploads.send(body, more)
      assert.deepEqual([status, code], [400, 'bad_request'], message)
      assert.match(message, refusal)
      assert.deepEqual([kept(), uploads.bugs()], [[], []])
    })

  it('may hold what nobody asked for, before, after and twice, and words around its parts', async () => {
    const other = field('submit', 'yes')
    const { status, data } = await uploads.send(
      `before\r\n${other}${other}${path}${file('a', 'one')}${other}${last}after`,
    )
    assert.deepEqual([status, data, kept()], [200, { path: '/a', name: 'a', size: 3 }, ['one']])
  })

  it('that its caller leaves in the middle is undone, without counting as a bug', async () => {
    const rows = () =>
      uploads.sample.store.db.selectFrom('activity').select(['status', 'message']).orderBy('id').execute()
    for (const cut of [
      `${path}${file('a', 'one').slice(0, -2)}`,
      `${path}${file('a', 'one')}`,
      `${path}${file('a', 'one')}${last}`,
    ]) {
      const before = (await rows()).length
      const socket = uploads.begin(cut)
      await uploads.untilBegun()
      socket.destroy()
      await until(async () => (await rows()).length > before)
      assert.deepEqual({ ...(await rows()).at(-1) }, { status: 'restored', message: 'The caller went away' })
    }
    assert.deepEqual([kept(), uploads.bugs()], [[], []])
  })

  it('or bytes that are refused before their end are taken to it all the same, as their caller may read the answer only then', async () => {
    const large = Buffer.alloc(20_000_000, 'x')
    for (const [type, head, end] of [
      [formType, `${path}${file('a', '').slice(0, -2)}`, `\r\n${last}`],
      ['text/plain', '', ''],
    ] as const) {
      const socket = uploads.begin(head, { type, query: '?path=%2Fa' }, large.length + end.length)
      await new Promise<void>((resolve, reject) =>
        socket.once('error', reject).write(Buffer.concat([large, Buffer.from(end)]), () => resolve()),
      )
      const [answer] = (await once(socket, 'data')) as [Buffer]
      assert.match(answer.toString(), /^HTTP\/1\.1 413 /)
      socket.destroy()
    }
  })

  it('that nobody reads hurts nothing when its caller leaves', async () => {
    for (const [type, body] of [
      [formType, `${path}${file('a', 'one')}`],
      ['text/plain', 'one'],
    ] as const) {
      const served = new Promise<Socket>((resolve) => uploads.sample.app.server.once('connection', resolve))
      const socket = uploads.begin(body, {
        type,
        query: '?path=%2Fa',
        method: 'PATCH',
        key: `left-${type.length}`,
      })
      await once(socket, 'data')
      socket.destroy()
      const there = await served
      await until(() => there.destroyed)
    }
    assert.equal((await uploads.sendBytes('next')).status, 200)
  })
})
