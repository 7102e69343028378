import assert from 'node:assert/strict'
import { test } from 'node:test'
import { authenticationOf, hasPassword, identifiedBy } from './authentication.ts'

const hash = '*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19'
const socket = { plugin: 'unix_socket', secret: '' }
const native = (secret: string) => ({ plugin: 'mysql_native_password', secret })

for (const [title, priv, methods, isOpen] of [
  ['an account without any method', { access: 1 }, [native('')], false],
  ['one password', { plugin: 'mysql_native_password', authentication_string: hash }, [native(hash)], true],
  [
    'root as Debian sets it up',
    {
      plugin: 'mysql_native_password',
      authentication_string: 'invalid',
      auth_or: [{}, { plugin: 'unix_socket' }],
    },
    [native('invalid'), socket],
    false,
  ],
  [
    'the socket or a password',
    {
      plugin: 'mysql_native_password',
      authentication_string: hash,
      auth_or: [{ plugin: 'unix_socket' }, {}],
    },
    [socket, native(hash)],
    true,
  ],
] as const) {
  test(`reads ${title} in the order in which the server tries the methods`, () => {
    assert.deepEqual(authenticationOf(JSON.stringify(priv)), methods)
    assert.equal(hasPassword(methods), isOpen)
  })
}

test('writes each method with its secret, as values and never as text', () => {
  assert.deepEqual(identifiedBy([socket, native("o'x")]), {
    parts: ["alter user 'root'@'localhost' identified via ", ' using ', ' or ', ' using ', ''],
    values: [{ identifier: 'unix_socket' }, '', { identifier: 'mysql_native_password' }, "o'x"],
  })
})
