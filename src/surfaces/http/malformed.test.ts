import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { answerUntilClosed } from '../../../test/support/raw-request.ts'
import { openUploads } from './testing/sample-uploads.ts'

const limitMs = 10_000

describe('a malformed request', () => {
  let uploads: Awaited<ReturnType<typeof openUploads>>
  before(async () => void (uploads = await openUploads()))
  after(() => uploads.close())

  const send = (bytes: string | Buffer) => {
    const socket = connect(uploads.port, '127.0.0.1').on('error', () => {})
    socket.write(bytes)
    return answerUntilClosed(socket, limitMs)
  }
  const refusals: readonly (readonly [string, string, number, RegExp])[] = [
    ['that is no HTTP', 'nonsense\r\n\r\n', 400, /The request is not valid HTTP\/1\.1/],
    [
      'with headers beyond 16 KiB',
      `GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      /16 KiB/,
    ],
    [
      'of two lengths',
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
      /not valid/,
    ],
    [
      'with two Host lines',
      'GET /api/boxes HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n',
      400,
      /Host: is sent/,
    ],
    ['of HTTP/2.0', 'GET /api/boxes HTTP/2.0\r\nHost: a\r\nConnection: close\r\n\r\n', 400, /HTTP\/1\.1/],
  ]
  for (const [title, bytes, status, message] of refusals)
    it(`${title} is answered ${status} in the envelope`, async () => {
      const { status: answered, text } = await send(bytes)
      assert.equal(answered, status, text)
      const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4)) as { error: Record<string, string> }
      assert.deepEqual(Object.keys(body.error), ['code', 'message'])
      assert.equal(body.error['code'], 'bad_request')
      assert.match(body.error['message'] as string, message)
      assert.match(text, /\r\nx-request-id: \S+\r\n/i)
      assert.match(text, /\r\nx-content-type-options: nosniff\r\n/i)
    })

  const post = (body: Buffer) =>
    send(
      Buffer.concat([
        Buffer.from(
          `POST /api/boxes HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ada\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`,
        ),
        body,
      ]),
    )

  it('has a body that is not UTF-8', async () => {
    const { status, text } = await post(Buffer.from('{"label":"caf\xe9"}', 'latin1'))
    assert.equal(status, 400)
    assert.match(text, /body: must be UTF-8/)
  })

  it('has half of a surrogate pair in a text or in the name of a field', async () => {
    for (const body of [
      '{"label":"a\\ud800b"}',
      '{"label":"ok","\\uDFFF":1}',
      '{"label":"ok","more":[["\\ud83d"]]}',
    ]) {
      const { status, text } = await post(Buffer.from(body))
      assert.equal(status, 400, body)
      assert.match(text, /half of a surrogate pair/)
    }
    assert.equal((await post(Buffer.from('{"label":"\\ud83d\\ude00 \\\\ud800"}'))).status, 201)
  })
})
