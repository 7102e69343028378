import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { skip } from '../../../host/owner/testing/homes.ts'
import { openFilesBench, type FilesBench } from '../testing/files-bench.ts'

describe('an uploaded file', { skip }, () => {
  let bench: FilesBench
  let origin: string
  before(async () => {
    bench = await openFilesBench()
    await bench.panel.app.listen({ host: '127.0.0.1', port: 0 })
    origin = `http://127.0.0.1:${(bench.panel.app.server.address() as AddressInfo).port}/api/filemanager/upload`
  })
  after(() => bench.remove())

  const send = async (
    to: string,
    body: FormData | string,
    headers: Record<string, string> = {},
    method = 'POST',
  ) => {
    const reply = await fetch(`${origin}${to}`, {
      method,
      body,
      headers: { authorization: `Bearer ${bench.alice.token}`, ...headers },
    })
    const { data, error } = (await reply.json()) as any
    return {
      status: reply.status,
      data,
      error,
      isRepeat: reply.headers.get('idempotency-replayed') === 'true',
    }
  }
  const form = (name: string, content: string) => {
    const fields = new FormData()
    fields.append('username', 'alice')
    fields.append('name', name)
    fields.append('file', new Blob([content]), 'chosen.txt')
    return fields
  }
  const key = (of: string) => ({ 'idempotency-key': of })
  const kept = (name: string) =>
    existsSync(bench.at(name)) ? readFileSync(bench.at(name), 'utf8') : undefined

  it('is stored once if it is sent again with its key; a different file with the same key is rejected', async () => {
    const first = await send('', form('fileA', 'aaaa'), key('form'))
    assert.deepEqual([first.status, first.data?.path, first.isRepeat], [201, 'fileA', false])
    for (const [name, content] of [
      ['fileB', 'bbbb'],
      ['fileA', 'bbbb'],
    ] as const) {
      const { status, error } = await send('', form(name, content), key('form'))
      assert.deepEqual([status, error.code], [409, 'idempotency_conflict'])
    }
    const again = await send('', form('fileA', 'aaaa'), key('form'))
    assert.deepEqual([again.status, again.data, again.isRepeat], [201, first.data, true])
    assert.deepEqual([kept('fileA'), kept('fileB')], ['aaaa', undefined])
  })

  it('is compared by its bytes if sent as a raw body, also if it is large', async () => {
    const large = 'x'.repeat(5_000_000)
    assert.equal((await send('?username=alice&name=bytes', `${large}1`, key('bytes'))).status, 201)
    assert.equal(
      (await send('?username=alice&name=bytes', `${large}2`, key('bytes'))).error.code,
      'idempotency_conflict',
    )
    assert.equal((await send('?username=alice&name=bytes', `${large}1`, key('bytes'))).isRepeat, true)
    assert.equal(kept('bytes')?.at(-1), '1')
  })

  it('is compared by its bytes and its offset if sent as a part', async () => {
    const { id } = (await send('?username=alice&name=parts&resumable=true&size_bytes=6', '', key('open')))
      .data
    assert.equal(
      (await send('?username=alice&name=parts&resumable=true&size_bytes=6', '', key('open'))).data.id,
      id,
    )
    const part = (offset: string, content: string, name: string) =>
      send(
        `/${id}`,
        content,
        { 'upload-offset': offset, 'content-type': 'application/octet-stream', ...key(name) },
        'PATCH',
      )
    const first = await part('0', 'abc', 'first')
    assert.deepEqual([first.status, first.data?.offset_bytes], [200, 3])
    assert.equal((await part('0', 'abX', 'first')).error.code, 'idempotency_conflict')
    assert.equal((await part('3', 'abc', 'first')).error.code, 'idempotency_conflict')
    assert.deepEqual(
      [(await part('0', 'abc', 'first')).isRepeat, (await part('3', 'def', 'second')).data.state],
      [true, 'done'],
    )
    assert.equal((await part('3', 'def', 'second')).data.state, 'done')
    assert.equal(kept('parts'), 'abcdef')
  })

  it('leaves nothing behind if sent in an invalid form', async () => {
    const before = readdirSync(bench.at(), { recursive: true }).toSorted()
    const field = (head: string, content: string) =>
      `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
    const whole =
      field('name="username"', 'alice') + field('name="file"; filename="spoiled.txt"', 'x'.repeat(300_000))
    for (const [body, refusal] of [
      [whole, /^body: must be/],
      [
        `${whole}${field('name="file"; filename="other.txt"', 'y')}--x--\r\n`,
        /^file: "other\.txt" is a second one/,
      ],
      [`${whole}${field('name="path"', 'sites')}--x--\r\n`, /^path: must come before/],
      ['garbage', /^body: must be/],
    ] as const) {
      const { status, error } = await send('', body, { 'content-type': 'multipart/form-data; boundary=x' })
      assert.deepEqual([status, error?.code], [400, 'bad_request'])
      assert.match(error.message, refusal)
    }
    assert.deepEqual(readdirSync(bench.at(), { recursive: true }).toSorted(), before)
    assert.deepEqual(
      bench.panel.log.filter(({ level }) => level === 'error'),
      [],
    )
  })
})
