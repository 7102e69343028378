import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import { text } from 'node:stream/consumers'
import { Unauthorized } from '../../core/problem.ts'
import { openSample } from './testing/sample.ts'

describe('when the credential of a caller ends', () => {
  let sample: Awaited<ReturnType<typeof openSample>>
  before(async () => {
    sample = await openSample()
    await sample.app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(async () => {
    await sample.http.stop(0)
    await sample.store.close()
  })
  afterEach(() => sample.renewCredentials())

  const begin = (path: string, method = 'GET', as = 'ada') => {
    const { port } = sample.app.server.address() as AddressInfo
    const headers = { authorization: `Bearer ${as}` }
    const sent = httpRequest({ port, host: '127.0.0.1', method, path: `/api/boxes/${path}`, headers })
    return { sent, answer: once(sent, 'response').then(([answer]) => answer as IncomingMessage) }
  }
  const open = async (path: string, as?: string) => {
    const { sent, answer } = begin(path, 'GET', as)
    sent.end()
    return answer
  }
  const end = (as: string) => sample.endCredential(as, Unauthorized('Your session or API key has ended'))

  it('cuts a download that is under way, and leaves those of others', async () => {
    const [mine, other] = [await open('endless-file'), await open('endless-file', 'admin')]
    for (const answer of [mine, other]) await once(answer, 'readable')
    end('ada')
    await assert.rejects(text(mine), { code: 'ECONNRESET' })
    other.resume()
    assert.equal(
      await Promise.race([once(other, 'data').then(() => 'goes on'), once(other, 'close')]),
      'goes on',
    )
    other.destroy()
    await once(other, 'close').catch(() => {})
  })

  it('destroys the source of the download', async () => {
    const { closed } = sample.boxes
    const answer = await open('endless-file')
    const gone = once(answer, 'error')
    answer.resume()
    end('ada')
    await gone
    while (sample.boxes.closed === closed) await new Promise(setImmediate)
  })

  it('ends an event stream with an error event', async () => {
    const rest = text(await open('events'))
    end('ada')
    assert.match(await rest, /data: \{"type":"error","message":"the stream was ended by the panel"\}\n\n$/)
  })

  it('answers 401 to an upload that is under way, and undoes it', async () => {
    const known = sample.boxes.uploads.length
    const { sent, answer } = begin('upload?path=a', 'POST')
    sent.write('half of it')
    while (sample.gates.running.size === 0) await new Promise(setImmediate)
    end('ada')
    const { statusCode } = await answer
    assert.deepEqual([statusCode, sample.boxes.uploads.length], [401, known])
    sent.on('error', () => {}).destroy()
  })

  it('answers 401 to a download that has not begun', async () => {
    end('ada')
    assert.equal((await open('file')).statusCode, 401)
  })

  it('finishes a short request', async () => {
    end('ada')
    assert.equal((await open('')).statusCode, 200)
  })
})
