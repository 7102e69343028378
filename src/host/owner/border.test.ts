import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { frame, FrameReader, FrameRefused, kinds } from './confined/frames.ts'
import { problemOf } from './failures.ts'
import { nameFields, shown, textOf, toBytes } from './paths.ts'
import { DiskFull, HelperFailed, PathInvalid } from './problems.ts'

function readAll(bytes: Buffer, step: number): string[] {
  const seen: string[] = []
  const reader = new FrameReader({
    limit: (kind) => (kind === kinds.note ? undefined : 100),
    bytes: (call, part) => {
      seen.push(`bytes ${call} ${part}`)
    },
    frame: (kind, call, payload) => {
      seen.push(`${kind} ${call} ${payload}`)
    },
  })
  for (let at = 0; at < bytes.length; at += step) reader.push(bytes.subarray(at, at + step))
  return seen
}

describe('frames', () => {
  const stream = Buffer.concat([
    frame(kinds.done, 1, Buffer.from('{"a":1}')),
    frame(kinds.end, 2),
    frame(kinds.done, 300, Buffer.from('x')),
  ])

  it('come out whole, wherever the stream was cut', () => {
    for (const step of [1, 2, 8, 9, 10, 1000])
      assert.deepEqual(readAll(stream, step), ['8 1 {"a":1}', '3 2 ', '8 300 x'], String(step))
  })

  it('pass the parts of a body on as they come', () => {
    assert.deepEqual(readAll(frame(kinds.bytes, 7, Buffer.from('abcd')), 11), ['bytes 7 ab', 'bytes 7 cd'])
  })

  it('are refused by their header alone: too large, unexpected, or an empty part', () => {
    for (const bad of [
      frame(kinds.done, 1, Buffer.alloc(101)).subarray(0, 9),
      frame(kinds.note, 1),
      frame(kinds.bytes, 1),
    ]) {
      assert.throws(() => readAll(bad, 100), FrameRefused)
    }
  })
})

describe('paths of a home', () => {
  it('mean the home by a leading slash, and keep a trailing one', () => {
    assert.deepEqual(['/', '', '/a//b/./c', 'dir/', './x'].map(toBytes), ['', '', 'a/b/c', 'dir/', 'x'])
  })

  it('travel as bytes and come back as text or base64', () => {
    assert.deepEqual(nameFields(toBytes('käse')), { name: 'käse' })
    assert.deepEqual(nameFields(toBytes(Buffer.from('Zv8=', 'base64'))), {
      name: 'f\ufffd',
      name_b64: 'Zv8=',
    })
  })

  it('hold any bytes in text, also those that are not UTF-8, and give them back', () => {
    const bytes = Buffer.from(Array.from({ length: 255 }, (_, at) => at + 1).filter((byte) => byte !== 0x2f))
    for (const one of [
      bytes,
      bytes.toReversed(),
      Buffer.from('f0908080ed80ff', 'hex'),
      Buffer.from('eda080edb080', 'hex'),
      Buffer.from('a\ufffd𝄞é'),
    ]) {
      const text = JSON.parse(JSON.stringify(textOf(one))) as string
      assert.equal(toBytes(text), Buffer.from(one).toString('latin1'))
    }
    assert.equal(shown({ field: 'path', path: textOf(Buffer.from('k\xe4se', 'latin1')) }), 'path: k\ufffdse')
    for (const bad of ['a\ud800', '\udc41', 'x\0', 'a/../b'])
      assert.throws(
        () => toBytes({ field: 'path', path: bad }),
        (error: unknown) =>
          error instanceof Problem && error.kind === PathInvalid && error.message.startsWith('path: '),
      )
  })
})

describe('failures', () => {
  it('name the path as it was sent, the path below it, and the full disk', () => {
    assert.equal(problemOf({ code: 'ENOENT', path: 'a' }, '/a').message, '/a does not exist')
    const [from, to] = [
      { field: 'src_path', path: '/a' },
      { field: 'dst_path', path: 'd' },
    ]
    assert.equal(problemOf({ code: 'ENOENT', path: 'a' }, from, to).message, 'src_path: /a does not exist')
    assert.equal(problemOf({ code: 'EEXIST', path: 'd/a' }, from, to).message, 'dst_path: d/a exists already')
    assert.equal(
      problemOf({ code: 'ENOENT', path: 'd' }, from, { ...to, path: 'd/x' }).message,
      'dst_path: d does not exist',
    )
    assert.equal(
      problemOf({ code: 'EACCES', path: 'a/b' }, '/a').message,
      'a/b: The owner of the files may not do this',
    )
    const full = problemOf({ code: 'ENOSPC', path: 'a' }, 'a')
    assert.deepEqual([full.kind, full.message], [DiskFull, 'a: the disk that holds the home is full'])
    assert.ok(problemOf({ code: 'EDQUOT' }, 'a').message.includes('quota'))
  })

  it('hold no control characters of the owner, and no unknown code is trusted', () => {
    const odd = problemOf({ code: 'toString2', why: 'line\n\u001b[31mred' }, 'a')
    assert.deepEqual([odd.kind, odd.message], [HelperFailed, 'a: line  [31mred'])
    assert.equal(problemOf({ code: 'constructor' }, 'a').kind, HelperFailed)
  })
})
