import assert from 'node:assert/strict'
import { buffer } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { postmarkOf, unixLines } from './lines.ts'

describe('a file of the mbox format', () => {
  const linesOf = async (...chunks: readonly string[]) => {
    const pieces = chunks.map((chunk) => Buffer.from(chunk, 'latin1'))
    return (await buffer(Readable.from(unixLines(Readable.from(pieces))))).toString('latin1')
  }

  test('begins each message with its sender and time', () => {
    const date = '2026-01-03T01:05:34.000Z'
    assert.equal(postmarkOf({ from_email: 'a@b.c', date }), 'From a@b.c Sat Jan  3 01:05:34 2026\n')
    for (const from_email of ['a b', ''])
      assert.match(postmarkOf({ from_email, date }), /^From MAILER-DAEMON Sat Jan /)
  })

  test('has line feeds alone, and quotes lines that would begin a message', async () => {
    assert.equal(
      await linesOf('From: a\r\n\r\nFrom here\r\n>From there\r\n From\r\n'),
      'From: a\n\n>From here\n>>From there\n From\n',
    )
    assert.equal(await linesOf('From the first line'), '>From the first line\n')
    assert.equal(await linesOf('\xff\r\nend'), '\xff\nend\n')
    assert.equal(await linesOf(), '')
  })

  test('is the same wherever its chunks are cut', async () => {
    const text = 'From: a\r\n\r\nx\r\nFrom here\r\n>>From there\r\nend\r\n'
    const whole = await linesOf(text)
    for (let at = 1; at < text.length; at += 1)
      assert.equal(await linesOf(text.slice(0, at), text.slice(at)), whole, `cut at ${at}`)
  })

  test('keeps a line of any length', async () => {
    const long = 'x'.repeat(100_000)
    assert.equal(await linesOf(long, `From ${long}\r`, '\nFrom y'), `${long}From ${long}\n>From y\n`)
  })
})
