import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLoggedRequest } from './logged.ts'

const line = (request: string, more = '200 5 "-" "-" 0.001') =>
  `192.0.2.1 - - [29/Nov/2026:04:08:15 +0000] "${request}" ${more}`

test('reads what rules see of a request, and what is absent', () => {
  assert.deepEqual(
    readLoggedRequest(line('GET /a/../b%20c?x=%20 HTTP/1.1', '404 0 "https://x/" "A \\x22b\\x22" 0.001')),
    {
      ...{ address: '192.0.2.1', hex: 'c0000201', time: '29/Nov/2026:04:08:15 +0000', status: 404 },
      ...{
        method: 'GET',
        path: '/b c',
        query: 'x=%20',
        host: undefined,
        referer: 'https://x/',
        agent: 'A "b"',
      },
    },
  )
  const { referer, agent, query } = readLoggedRequest(line('GET /? HTTP/1.1'))!
  assert.deepEqual([referer, agent, query], [undefined, undefined, undefined])
  assert.equal(readLoggedRequest(line('GET http://Example.com:80/x HTTP/1.1'))?.host, 'example.com')
  assert.equal(readLoggedRequest(line('GET http://example.com HTTP/1.1'))?.path, '/')
})

test('takes a user name that looks like another line as a name', () => {
  const forged =
    '192.0.2.1 - x [29/Nov/2026:04:08:15 +0000] - [29/Nov/2026:04:08:16 +0000] "GET /real HTTP/1.1" 200 5 "-" "-" 0.001'
  assert.equal(readLoggedRequest(forged)?.path, '/real')
})

test('reads the rest of the line of a request with many quotes at once', () => {
  assert.equal(readLoggedRequest(`${'a - '.repeat(5000)}[`), undefined)
  assert.equal(readLoggedRequest(line(`GET /${'%41'.repeat(3000)} HTTP/1.1`))?.path.length, 3001)
})

test('passes over what no rule sees', () => {
  for (const text of [
    '',
    'nonsense',
    line(''),
    line('-'),
    line('\\x16\\x03\\x01'),
    line('GET /x'),
    line('GET ../x HTTP/1.1'),
    line('GET /%zz HTTP/1.1'),
    line('GET /%00 HTTP/1.1'),
    line('GET /../x HTTP/1.1'),
    line('GET / HTTP/1.1').replace('192.0.2.1', 'unix:'),
    line('OPTIONS * HTTP/1.1'),
  ])
    assert.equal(readLoggedRequest(text), undefined, text)
})
