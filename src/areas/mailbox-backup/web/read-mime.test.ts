import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { framed, latin1Of, readMime } from './read-mime.ts'

const lines = (...text: string[]) => latin1Of(Buffer.from(text.join('\r\n')))

describe('the text of a message', () => {
  test('is found in nested parts, in its encoding and charset', () => {
    const source = lines(
      'Content-Type: multipart/mixed;',
      ' boundary="outer"',
      '',
      'preamble',
      '--outer',
      'Content-Type: multipart/alternative; boundary=inner',
      '',
      '--inner',
      'Content-Type: text/plain; charset=iso-8859-1',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'caf=E9 and a long=',
      ' line',
      '--inner',
      'Content-Type: text/html; charset="utf-8"',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from('<p>é</p>').toString('base64'),
      '--inner--',
      '--outer',
      'Content-Type: text/plain',
      'Content-Disposition: attachment; filename=a.txt',
      '',
      'not shown',
      '--outer--',
    )
    assert.deepEqual(readMime(source), { html: '<p>é</p>', plain: 'café and a long line' })
  })

  test('is there without any header of a type, and absent without a text', () => {
    assert.deepEqual(readMime(lines('Subject: é', '', 'Hello é')), { html: undefined, plain: 'Hello é' })
    assert.deepEqual(readMime(''), { html: undefined, plain: '' })
    assert.deepEqual(readMime(lines('Content-Type: image/png', '', 'x')), {
      html: undefined,
      plain: undefined,
    })
  })

  test('survives what no program writes', () => {
    const deep = Array.from(
      { length: 1000 },
      () => 'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n',
    ).join('')
    assert.deepEqual(readMime(deep), { html: undefined, plain: undefined })
    assert.equal(readMime(lines('Content-Type: text/plain; charset=nonsense', '', 'x')).plain, 'x')
    assert.equal(readMime(lines('Content-Transfer-Encoding: base64', '', '=====%%%a')).plain, '')
  })

  test('is framed so that nothing is loaded from elsewhere', () => {
    assert.match(framed('<img src=https://tracker.example>'), /default-src 'none'; img-src data:/)
  })
})
