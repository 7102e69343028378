import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { answerUntilClosed, sendRaw } from '../../../test/support/raw-request.ts'
import { field, file, formType, openUploads } from './testing/sample-uploads.ts'
import { until } from '../../../test/support/until.ts'

const limitMs = 60_000

describe('a body', () => {
  let uploads: Awaited<ReturnType<typeof openUploads>>
  before(async () => {
    uploads = await openUploads({ timeoutMs: 4000, stalledMs: 2000, lingerMs: 4000, openMemoryBytes: 40_000 })
  })
  after(() => uploads.close())

  const post = (path: string, body: string, more: Readonly<Record<string, string>> = {}): Socket =>
    sendRaw(uploads.port, {
      line: `POST /api/boxes${path}`,
      headers: { authorization: 'Bearer ada', connection: 'close', ...more },
      body,
    })
  const answerOf = (socket: Socket) => answerUntilClosed(socket, limitMs)

  it('may arrive in any number of pieces, cut within a character', async () => {
    const bytes = Buffer.from(JSON.stringify({ label: '€'.repeat(40) }))
    const socket = post('', '', { 'content-length': String(bytes.length) }).setNoDelay()
    for (const byte of bytes) await new Promise((resolve) => socket.write(Buffer.of(byte), resolve))
    const { status, text: said } = await answerOf(socket)
    assert.equal(status, 201, said)
    assert.ok(said.includes(`"label":"${'€'.repeat(40)}"`), said)
  })

  it('of an unknown caller is at most 16 KiB', async () => {
    const knock = (who: string) => {
      const body = JSON.stringify({ who })
      return answerOf(post('/knock', body, { 'content-length': String(body.length) }))
    }
    const most = 16_384 - JSON.stringify({ who: '' }).length
    assert.equal((await knock('x'.repeat(most))).status, 200)
    const { status, text: said } = await knock('x'.repeat(most + 1))
    assert.equal(status, 413)
    assert.match(said, /payload_too_large.*body: must be at most 16384 bytes/)
  })

  it('that is too large without saying so is refused as soon as it is', async () => {
    const chunk = `2000\r\n${'x'.repeat(0x20_00)}\r\n`
    const { status } = await answerOf(post('/knock', chunk.repeat(3), { 'transfer-encoding': 'chunked' }))
    assert.equal(status, 413)
  })

  it('that is refused is taken to its end, as its caller may read the answer only then', async () => {
    const socket = post('', '', { 'content-length': '8000000', connection: 'keep-alive' })
    await new Promise((resolve, reject) =>
      socket.once('error', reject).write(Buffer.alloc(8_000_000, 'x'), resolve),
    )
    const [answer] = (await once(socket, 'data')) as [Buffer]
    assert.match(answer.toString(), /^HTTP\/1\.1 413 /)
    socket.destroy()
  })

  it('that is refused is taken to its end where its caller asked to close the connection, too', async () => {
    for (const path of ['', '?field=1']) {
      const socket = post(path, '', { 'content-length': '8000000' })
      await new Promise((resolve, reject) =>
        socket.once('error', reject).write(Buffer.alloc(8_000_000, 'x'), resolve),
      )
      assert.equal((await answerOf(socket)).status, 413) // and the connection is closed
    }
  })

  it('gives way where too many arrive at once: the first is answered 503, and the next ones are served', async () => {
    const half = () => post('/knock', `{"who":"${'x'.repeat(15_000)}`, { 'content-length': '16000' })
    const [first, ...others] = [half(), half(), half()] as const
    const { status, text: said } = await answerOf(first)
    assert.equal(status, 503, said)
    assert.match(said, /\r\nretry-after: 1\r\n/i)
    assert.equal((await answerOf(post('/knock', '{"who":"me"}', { 'content-length': '12' }))).status, 200)
    for (const other of others) assert.equal((await answerOf(other)).status, 408)
  })

  it('of an upload that stops is answered 408; what was done is undone, and nothing counts as a bug', async () => {
    for (const [type, body] of [
      [formType, `${field('path', '/a')}${file('a', 'one').slice(0, -2)}`],
      [formType, `${field('path', '/a')}${file('a', 'one')}`],
      [formType, field('path', '/a')],
      ['text/plain', 'one'],
    ] as const) {
      const more = { 'content-type': type, 'content-length': '9000' }
      const { status, text: said } = await answerOf(post('/upload?path=%2Fa', body, more))
      assert.equal(status, 408, said)
      assert.match(said, /request_timeout.*body: nothing more of it arrived for 2 s/)
    }
    assert.deepEqual([uploads.sample.boxes.uploads, uploads.bugs()], [[], []])
  })

  it('is not waited for once its caller has left', async () => {
    const answered = () => uploads.sample.lines.filter(({ message }) => message === 'answered').length
    const before = answered()
    const served = once(uploads.sample.app.server, 'connection') as Promise<[Socket]>
    const socket = post('', '{"label":', { 'content-length': '900' })
    const [there] = await served
    socket.destroy()
    await until(() => there.destroyed)
    assert.equal(answered(), before)
    assert.deepEqual(uploads.bugs(), [])
  })
})
