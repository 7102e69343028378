import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { renamed } from './hosts-file.ts'

describe('/etc/hosts', () => {
  const text = `127.0.0.1 localhost # loopback
127.0.1.1\told.example.com old\tdb   # this host
# 10.0.0.1 old
10.0.0.7 older old.example.com
::1 localhost ip6-localhost
`

  test('has the new name where it had the former one, and everything else as it was', () => {
    assert.equal(
      renamed(text, 'old.example.com', 'web1.example.org'),
      `127.0.0.1 localhost # loopback
127.0.1.1\tweb1.example.org web1 db   # this host
# 10.0.0.1 old
10.0.0.7 web1.example.org web1 older
::1 localhost ip6-localhost
`,
    )
  })

  test('is the same when the name is', () => {
    const once = renamed(text, 'old.example.com', 'web1')
    assert.equal(renamed(once, 'web1', 'web1'), once)
  })

  test('gets a line where no line has the name', () => {
    for (const [before, after] of [
      ['', '127.0.1.1\tweb1\n'],
      ['127.0.0.1 localhost', '127.0.0.1 localhost\n127.0.1.1\tweb1\n'],
      ['127.0.1.1 other\n', '127.0.1.1 web1 other\n'],
    ] as const)
      assert.equal(renamed(before, 'old', 'web1'), after)
  })

  test('keeps localhost, also where the host was named so', () => {
    assert.equal(
      renamed('127.0.0.1 localhost\n', 'localhost', 'web1'),
      '127.0.0.1 localhost\n127.0.1.1\tweb1\n',
    )
  })
})
