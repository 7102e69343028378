import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, beforeEach, describe, it } from 'node:test'
import { field, file, last, openUploads } from './testing/sample-uploads.ts'

let uploads: Awaited<ReturnType<typeof openUploads>>
before(async () => {
  uploads = await openUploads()
})
after(() => uploads.close())
beforeEach(() => uploads.forget())
const kept = () => uploads.sample.boxes.uploads

describe('Idempotency-Key of an upload', () => {
  const form = (content: string, more: { path?: string; name?: string } = {}) =>
    `${field('path', more.path ?? '/a')}${file(more.name ?? 'a', content)}${last}`
  const conflict = [409, 'idempotency_conflict']

  it('makes a repeat answer what the first was answered, also with another boundary, and without carrying it out again', async () => {
    const first = await uploads.send(form('four'), { key: 'same-form' })
    const again = await uploads.send(form('four').replaceAll('--x', '--other'), {
      key: 'same-form',
      type: 'multipart/form-data; boundary=other',
    })
    assert.deepEqual(
      [first.status, first.isRepeat, again.status, again.isRepeat, again.data],
      [200, false, 200, true, first.data],
    )
    assert.deepEqual(
      [
        (await uploads.sendBytes('four', { key: 'same-raw' })).isRepeat,
        (await uploads.sendBytes('four', { key: 'same-raw' })).isRepeat,
      ],
      [false, true],
    )
    assert.deepEqual(kept(), ['four', 'four'])
  })

  it('is a conflict with another file of the same length, another name of it, another field or another query', async () => {
    assert.equal((await uploads.send(form('four'), { key: 'form' })).status, 200)
    for (const other of [form('five'), form('four', { path: '/b' }), form('four', { name: 'b' })]) {
      const { status, code } = await uploads.send(other, { key: 'form' })
      assert.deepEqual([status, code], conflict, other)
    }
    assert.equal((await uploads.sendBytes('one', { key: 'raw' })).status, 200)
    for (const [text, query] of [
      ['two', '?path=%2Fa'],
      ['one', '?path=%2Fb'],
    ] as const) {
      const { status, code } = await uploads.sendBytes(text, { key: 'raw', query })
      assert.deepEqual([status, code], conflict, text)
    }
    assert.deepEqual(kept(), ['four', 'one'])
  })

  it('compares a file of many pieces to its last byte', async () => {
    const large = 'x'.repeat(99_999)
    assert.equal((await uploads.sendBytes(`${large}a`, { key: 'large' })).status, 200)
    assert.equal((await uploads.sendBytes(`${large}b`, { key: 'large' })).code, 'idempotency_conflict')
    assert.equal((await uploads.sendBytes(`${large}`, { key: 'large' })).code, 'idempotency_conflict')
    assert.deepEqual(
      [(await uploads.sendBytes(`${large}a`, { key: 'large' })).isRepeat, kept().length],
      [true, 1],
    )
  })

  it('is free again after the first was refused or broke off', async () => {
    assert.equal((await uploads.sendBytes('x'.repeat(150_000), { key: 'failed' })).status, 413)
    assert.equal(
      (await uploads.send(`${field('path', '/a')}${file('a', '1')}`, { key: 'failed' })).status,
      400,
    )
    const { status, isRepeat } = await uploads.sendBytes('one', { key: 'failed' })
    assert.deepEqual([status, isRepeat, kept()], [200, false, ['one']])
  })

  it('refuses a repeat that cannot be read, as it would the first', async () => {
    assert.equal((await uploads.send(form('four'), { key: 'spoiled' })).status, 200)
    const { status, message } = await uploads.send(form('four').slice(0, -last.length), { key: 'spoiled' })
    assert.deepEqual([status, message.slice(0, 5)], [400, 'body:'])
    assert.deepEqual(
      [uploads.bugs(), (await uploads.send(form('four'), { key: 'spoiled' })).isRepeat],
      [[], true],
    )
  })

  it('is in progress while the first is received, whatever the repeat holds', async () => {
    const socket = uploads.begin('on', { type: 'text/plain', query: '?path=%2Fa', key: 'slow' }, 3)
    await uploads.untilBegun()
    assert.deepEqual(
      [
        (await uploads.sendBytes('one', { key: 'slow' })).code,
        (await uploads.sendBytes('other', { key: 'slow' })).code,
      ],
      ['in_progress', 'in_progress'],
    )
    assert.equal(
      (await uploads.sendBytes('one', { key: 'slow', query: '?path=%2Fb' })).code,
      'idempotency_conflict',
    )
    socket.write('e')
    await once(socket, 'data')
    socket.destroy()
    assert.equal((await uploads.sendBytes('one', { key: 'slow' })).isRepeat, true)
    assert.deepEqual(kept(), ['one'])
  })

  it('does not compare a file that the first did not look at', async () => {
    const first = await uploads.sendBytes('one', { key: 'unread', method: 'PATCH' })
    const again = await uploads.sendBytes('two', { key: 'unread', method: 'PATCH' })
    assert.deepEqual([first.status, again.status, again.isRepeat], [200, 200, true])
  })
})
