import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chownSync, mkdirSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Person } from '../../../test/support/panel.ts'
import { aliceUid, type FilesBench, openFilesBench } from './testing/files-bench.ts'

const skip = process.getuid?.() === 0 ? false : 'needs root: works under other uids'
const mib = 1024 * 1024

describe('a transfer in progress', { skip, timeout: 300_000 }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
    await bench.panel.app.listen({ host: '127.0.0.1', port: 0 })
    mkdirSync(bench.at('site'))
    for (const name of ['large.bin', 'site/large.bin']) {
      writeFileSync(bench.at(name), '')
      truncateSync(bench.at(name), 1024 * mib)
      chownSync(bench.at(name), aliceUid, aliceUid)
    }
    chownSync(bench.at('site'), aliceUid, aliceUid)
  })
  afterEach(() => asAdmin('PATCH', `/api/users/${bench.alice.id}`, { is_suspended: false }))
  after(() => bench.remove())

  const begin = (token: string, path: string, method = 'GET') => {
    const { port } = bench.panel.app.server.address() as AddressInfo
    const headers = { authorization: `Bearer ${token}` }
    const url = `/api/filemanager/${path}&username=alice`
    const sent = httpRequest({ port, host: '127.0.0.1', method, path: url, headers })
    return { sent, answer: once(sent, 'response').then(([answer]) => answer as IncomingMessage) }
  }
  const asAdmin = (method: string, path: string, body: object = {}) =>
    bench.panel.request(method, path, { as: bench.panel.admin, body })
  const signIn = async (): Promise<Person> => {
    const { data } = await bench.panel.request('POST', '/api/auth/login', {
      body: { email: bench.alice.email, password: bench.alice.password },
    })
    return { ...bench.alice, token: data.access_token }
  }

  /** Waits for the first bytes, then stops reading; `drain` reads the rest until the connection ends. */
  const pausedAt = async (answer: IncomingMessage) => {
    const closed = new Promise((resolve) => answer.once('close', resolve))
    answer.on('error', () => {})
    await once(answer, 'readable')
    let bytes = 0
    const drain = async () => {
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
      await closed
      return { bytes, isWhole: answer.complete }
    }
    return { drain }
  }

  for (const [what, path] of [
    ['a download', 'download?path=large.bin'],
    ['a folder that is packed while it is sent', 'download?path=site&archive=zip'],
  ] as const)
    for (const how of ['its user is suspended', 'its session is ended', 'its key is deleted'] as const)
      it(`ends as ${what} when ${how}`, async () => {
        const person = await signIn()
        const users = `/api/users/${person.id}`
        const key = (await asAdmin('POST', `${users}/api-keys`, { name: 'key' })).data
        const { sent, answer } = begin(how === 'its key is deleted' ? key.key : person.token, path)
        sent.end()
        const begun = await answer
        assert.equal(begun.statusCode, 200)
        const { drain } = await pausedAt(begun)
        if (how === 'its user is suspended') await asAdmin('PATCH', users, { is_suspended: true })
        if (how === 'its session is ended')
          await bench.panel.request('POST', '/api/auth/logout', { as: person })
        if (how === 'its key is deleted') await asAdmin('DELETE', `${users}/api-keys/${key.id}`)
        const { bytes, isWhole } = await drain()
        assert.equal(isWhole, false)
        assert.ok(bytes < 32 * mib, `${bytes} bytes came`) // the content of the connection's buffers
      })

  it('ends as an upload when its user is suspended, and leaves no leftovers', async () => {
    const person = await signIn()
    const { sent, answer } = begin(person.token, 'upload?path=&name=new.bin', 'POST')
    sent.write(Buffer.alloc(mib))
    while (bench.panel.gates.running.size === 0) await new Promise(setImmediate)
    await asAdmin('PATCH', `/api/users/${person.id}`, { is_suspended: true })
    assert.equal((await answer).statusCode, 401)
    sent.on('error', () => {}).destroy()
    assert.deepEqual(readdirSync(bench.at()).toSorted(), ['large.bin', 'site'])
  })
})
