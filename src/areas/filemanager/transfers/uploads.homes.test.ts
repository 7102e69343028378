import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { skip } from '../../../host/owner/testing/homes.ts'
import type { Answer } from '../../../../test/support/panel.ts'
import type { Context } from '../context.ts'
import { removeExpired } from './expiry.ts'
import { aliceUid, openFilesBench, type FilesBench } from '../testing/files-bench.ts'
import { until } from '../../../../test/support/until.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hidden = '.hostreeve-tmp-uploads'

describe('uploads in parts', { skip }, () => {
  let bench: FilesBench
  before(async () => {
    bench = await openFilesBench()
  })
  after(() => bench.remove())

  const ask = (
    method: string,
    path: string,
    query: Record<string, string> = {},
    body?: string,
  ): Promise<Answer> =>
    bench.panel.request(method, `/api/filemanager/${path}?${new URLSearchParams(query)}`, {
      as: bench.alice,
      ...(body !== undefined && { body, headers: { 'content-type': 'application/octet-stream' } }),
    })
  const open = (name: string, size: number, query: Record<string, string> = {}) =>
    ask('POST', 'upload', { username: 'alice', resumable: 'true', name, size_bytes: String(size), ...query })
  const opened = async (name: string, size: number, query: Record<string, string> = {}): Promise<number> => {
    const answer = await open(name, size, query)
    assert.equal(answer.status, 201, answer.text)
    return answer.data.id
  }
  const send = (id: number, offset: number, body: string, query: Record<string, string> = {}) =>
    ask('PATCH', `upload/${id}`, { offset: String(offset), ...query }, body)
  const refusal = ({ status, error }: Answer) => [status, error?.code]
  const leftIn = () => (existsSync(bench.at(hidden)) ? readdirSync(bench.at(hidden)) : [])

  it('are opened, listed and sent, and reach their destination when they are complete', async () => {
    const { status, data } = await open('whole.txt', 11, { sha256: sha256('hello world') })
    assert.deepEqual(
      [status, data.offset_bytes, data.size_bytes, data.part_size_bytes, data.state, data.path],
      [201, 0, 11, 16 * 1024 ** 2, 'open', 'whole.txt'],
    )
    assert.ok(Date.parse(data.expires_at) > Date.now() + 23 * 3_600_000)
    const first = await send(data.id, 0, 'hello ', { sha256: sha256('hello ') })
    assert.deepEqual([first.status, first.data.offset_bytes, first.data.state], [200, 6, 'open'], first.text)
    assert.equal(existsSync(bench.at('whole.txt')), false)
    assert.equal((await ask('GET', `upload/${data.id}`)).data.offset_bytes, 6)
    const last = await send(data.id, 6, 'world')
    assert.deepEqual(
      [last.status, last.data.state, last.data.file.size_bytes, last.data.file.created],
      [200, 'done', 11, true],
      last.text,
    )
    assert.deepEqual(
      [readFileSync(bench.at('whole.txt'), 'utf8'), statSync(bench.at('whole.txt')).uid],
      ['hello world', aliceUid],
    )
    assert.equal(last.data.file.etag, (await bench.get('stat', { path: 'whole.txt' })).data.etag)
    assert.deepEqual(leftIn(), [])
    const { data: entries } = await bench.panel.request('GET', '/api/activity/mine?search=whole.txt', {
      as: bench.alice,
    })
    assert.deepEqual(
      entries.items.map(({ action, message }: { action: string; message: string }) => [action, message]),
      [['filemanager_upload_part', 'Upload whole.txt of alice']],
      'one entry for the upload, none for its opening and its first part',
    )
    assert.equal((await ask('GET', `upload/${data.id}`)).data.state, 'done')
  })

  it('also accept the offset in a header, like upload protocols', async () => {
    const id = await opened('header.txt', 2)
    const answer = await bench.panel.request('PATCH', `/api/filemanager/upload/${id}`, {
      as: bench.alice,
      body: 'ab',
      headers: { 'upload-offset': '0' },
    })
    assert.deepEqual([answer.status, answer.data.state], [200, 'done'], answer.text)
  })

  it('may be empty', async () => {
    const answer = await send(await opened('empty.txt', 0), 0, '')
    assert.deepEqual([answer.status, answer.data.state], [200, 'done'], answer.text)
    assert.equal(statSync(bench.at('empty.txt')).size, 0)
  })

  it('reject a part with a wrong offset, and report the expected one', async () => {
    const id = await opened('elsewhere.txt', 6)
    await send(id, 0, 'abc')
    for (const offset of [0, 5]) {
      const answer = await send(id, offset, 'x')
      assert.deepEqual([...refusal(answer), answer.error['offset_bytes']], [409, 'conflict', 3])
      assert.match(answer.error.message, /begins at byte 3, not at/)
    }
    assert.equal((await send(id, 3, 'def')).data.state, 'done')
    assert.equal(readFileSync(bench.at('elsewhere.txt'), 'utf8'), 'abcdef')
  })

  it('discard a part with a wrong checksum completely', async () => {
    const id = await opened('spoiled-part.txt', 6)
    await send(id, 0, 'abc')
    const answer = await send(id, 3, 'dXf', { sha256: sha256('def') })
    assert.deepEqual([...refusal(answer), answer.error['offset_bytes']], [422, 'checksum_mismatch', 3])
    assert.equal((await ask('GET', `upload/${id}`)).data.offset_bytes, 3)
    assert.equal((await send(id, 3, 'def', { sha256: sha256('def') })).data.state, 'done')
  })

  it('are not stored if the whole file has a wrong checksum', async () => {
    const id = await opened('spoiled.txt', 3, { sha256: sha256('abc') })
    const answer = await send(id, 0, 'abX')
    assert.deepEqual([...refusal(answer), answer.error['offset_bytes']], [422, 'checksum_mismatch', 0])
    assert.equal(existsSync(bench.at('spoiled.txt')), false)
    assert.equal((await send(id, 0, 'abc')).data.state, 'done')
  })

  it('reject more bytes than announced', async () => {
    const id = await opened('long.txt', 4)
    assert.deepEqual(refusal(await send(id, 0, 'abcdef')), [413, 'payload_too_large'])
    assert.equal((await ask('GET', `upload/${id}`)).data.offset_bytes, 0)
    assert.deepEqual(refusal(await send(id, 5, 'x')), [400, 'bad_request'])
  })

  it('keep the received bytes of an interrupted part', async () => {
    const id = await opened('cut.txt', 10)
    await sendCut(id, 'abcdef')
    await untilOffset(id, 6)
    assert.equal((await send(id, 6, 'ghij')).data.state, 'done')
    assert.equal(readFileSync(bench.at('cut.txt'), 'utf8'), 'abcdefghij')
  })

  it('keep nothing of an interrupted part with a checksum', async () => {
    const id = await opened('cut-checked.txt', 10)
    await sendCut(id, 'abcdef', `&sha256=${sha256('abcdefghij')}`)
    await untilOffset(id, 0)
    assert.equal((await send(id, 0, 'abcdefghij', { sha256: sha256('abcdefghij') })).data.state, 'done')
  })

  it('continue at once while an earlier request still hangs', async () => {
    const id = await opened('hangs.txt', 6)
    const hanging = await hang(id, 'abc')
    await untilOffset(id, 3)
    const answer = await send(id, 3, 'def')
    assert.equal(answer.data?.state, 'done', answer.text)
    assert.equal(readFileSync(bench.at('hangs.txt'), 'utf8'), 'abcdef')
    hanging.destroy()
  })

  it('are rejected at the opening if they could not reach their destination', async () => {
    const before = leftIn()
    writeFileSync(bench.at('standing.txt'), 'here')
    assert.deepEqual(refusal(await open('standing.txt', 1, { overwrite: 'false' })), [409, 'already_exists'])
    assert.deepEqual(refusal(await open('standing.txt', 1, { if_match: 'other' })), [409, 'conflict'])
    assert.deepEqual(refusal(await open('x.txt', 1, { path: 'no-such-folder' })), [404, 'not_found'])
    assert.deepEqual(refusal(await open('x.txt', 1, { path: '../up' })), [400, 'bad_request'])
    const noSize = await ask('POST', 'upload', { username: 'alice', resumable: 'true', name: 'x' })
    assert.match(noSize.error.message, /^size_bytes: /)
    assert.match((await open('x', 1, { sha256: 'short' })).error.message, /^sha256: must be/)
    assert.deepEqual(leftIn(), before)
  })

  it('keep the received bytes if the destination has changed, until the caller decides', async () => {
    writeFileSync(bench.at('minded.txt'), 'old')
    const { etag } = (await bench.get('stat', { path: 'minded.txt' })).data
    const id = await opened('minded.txt', 3, { if_match: etag })
    writeFileSync(bench.at('minded.txt'), 'changed')
    assert.deepEqual(refusal(await send(id, 0, 'new', { sha256: sha256('new') })), [409, 'conflict'])
    assert.equal((await ask('GET', `upload/${id}`)).data.offset_bytes, 3)
    assert.deepEqual(refusal(await send(id, 3, '')), [409, 'conflict'])
    assert.equal((await send(id, 3, '', { overwrite: 'true' })).data.state, 'done')
    assert.equal(readFileSync(bench.at('minded.txt'), 'utf8'), 'new')
  })

  it('are listed for the user who opened them, and can be cancelled', async () => {
    const id = await opened('cancelled.txt', 9)
    await send(id, 0, 'abc')
    const { items } = (await ask('GET', 'upload')).data
    assert.deepEqual([items[0].id, items[0].offset_bytes], [id, 3])
    assert.equal((await ask('DELETE', `upload/${id}`)).status, 200)
    assert.deepEqual(refusal(await ask('GET', `upload/${id}`)), [404, 'not_found'])
    assert.ok(!leftIn().some((name) => name.startsWith(`${id}-`)))
  })

  it('belong to the user who opened them, even for superusers', async () => {
    const id = await opened('mine.txt', 3)
    const other = await bench.panel.person({ username: 'carol', permissions: ['websites_management'] })
    for (const as of [other, bench.panel.admin])
      for (const method of ['GET', 'PATCH', 'DELETE'])
        assert.deepEqual(
          refusal(await bench.panel.request(method, `/api/filemanager/upload/${id}?offset=0`, { as })),
          [404, 'not_found'],
        )
    assert.equal((await bench.panel.request('GET', `/api/filemanager/upload/${id}`)).status, 401)
    const without = await bench.panel.person({ permissions: [] })
    assert.equal(
      (await bench.panel.request('GET', `/api/filemanager/upload/${id}`, { as: without })).status,
      403,
    )
    await ask('DELETE', `upload/${id}`)
  })

  it('are limited to a hundred per owner', async () => {
    const ids: number[] = []
    let answer = await open('many-0', 1)
    for (; answer.status === 201; answer = await open(`many-${ids.length}`, 1)) ids.push(answer.data.id)
    assert.deepEqual([...refusal(answer), ids.length <= 100], [409, 'conflict', true])
    for (const id of ids) await ask('DELETE', `upload/${id}`)
  })

  it('are removed after a day without a new part', async () => {
    const id = await opened('late.txt', 9)
    await send(id, 0, 'abc')
    const { filemanager } = contextOf(bench)
    await removeExpired(filemanager, new Date(Date.now() + 23 * 3_600_000))
    assert.deepEqual(await removeExpired(filemanager, filemanager.store.trustedNow()), { removed: 0 })
    assert.equal((await ask('GET', `upload/${id}`)).data.offset_bytes, 3)
    await removeExpired(filemanager, new Date(Date.now() + 25 * 3_600_000))
    assert.equal((await ask('GET', `upload/${id}`)).status, 404)
    assert.deepEqual(leftIn(), [])
  })

  it('are removed on expiry even if their account was deleted', async () => {
    const id = await opened('orphan.txt', 9)
    await bench.panel.store.db
      .updateTable('file_uploads')
      .set({ username: 'gone' })
      .where('id', '=', id)
      .execute()
    const { filemanager } = contextOf(bench)
    const { removed } = await removeExpired(filemanager, new Date(Date.now() + 25 * 3_600_000))
    assert.ok(removed >= 1)
    assert.equal((await ask('GET', `upload/${id}`)).status, 404)
  })

  it('may have a checksum when sent in one piece', async () => {
    const whole = { username: 'alice', name: 'piece.txt', sha256: sha256('piece') }
    assert.deepEqual(refusal(await ask('POST', 'upload', whole, 'pieCe')), [422, 'checksum_mismatch'])
    assert.equal(existsSync(bench.at('piece.txt')), false)
    assert.equal((await ask('POST', 'upload', whole, 'piece')).status, 201)
  })

  it('report the offset while a large part is being received', async () => {
    const id = await opened('large-elsewhere.txt', 1e8)
    await socketTo(id, '', 0) // listens
    const length = 16 * 1024 ** 2
    const options = {
      port,
      method: 'PATCH',
      path: `/api/filemanager/upload/${id}?offset=5`,
      headers: { authorization: `Bearer ${bench.alice.token}` },
    }
    const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
      const asking = request(
        options,
        (response) =>
          void text(response).then(
            (content) => resolve({ status: response.statusCode, text: content }),
            reject,
          ),
      )
      asking.on('error', reject).end(Buffer.alloc(length))
    })
    assert.deepEqual([answer.status, JSON.parse(answer.text).error.offset_bytes], [409, 0])
  })

  let port: number | undefined
  const socketTo = async (id: number, query: string, length: number) => {
    if (port === undefined) {
      await bench.panel.app.listen({ host: '127.0.0.1', port: 0 })
      port = (bench.panel.app.server.address() as AddressInfo).port
    }
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(
      `PATCH /api/filemanager/upload/${id}?offset=0${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${bench.alice.token}\r\nContent-Length: ${length}\r\n\r\n`,
    )
    return socket
  }
  const hang = async (id: number, text: string) => {
    const socket = await socketTo(id, '', 10)
    socket.write(text)
    return socket
  }
  const sendCut = async (id: number, text: string, query = '') => {
    const socket = await socketTo(id, query, 10)
    socket.write(text)
    await until(() =>
      leftIn().some(
        (name) => name.startsWith(`${id}-`) && statSync(bench.at(hidden, name)).size === text.length,
      ),
    )
    socket.destroy()
  }
  const untilOffset = (id: number, offset: number) =>
    until(async () => (await ask('GET', `upload/${id}`)).data.offset_bytes === offset)
})

function contextOf({ panel }: FilesBench): Context {
  const route = panel.routes.find(({ path }) => path === '/api/filemanager/upload')
  return route?.context as unknown as Context
}
