import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nameOfMailbox } from './place.ts'

describe('the name of a mailbox', () => {
  test('has _at_ for the @, in lower case', () => {
    assert.equal(nameOfMailbox('Ada.Lovelace+x@Example.com'), 'ada.lovelace+x_at_example.com')
  })

  test('is one part of a path that differs for every address', () => {
    const addresses = [
      ...[
        'a@b.c',
        'a_at_b@c',
        'a@b_at_c',
        'a_at_b_at_c',
        'a_at_b.c',
        '../a@b.c',
        'a/b@c.d',
        'a%2fb@c.d',
        '..',
        '.',
        '',
        'é@b.c',
      ],
      ...['x'.repeat(250), `${'é'.repeat(100)}@b.c`, `${'é'.repeat(100)}@b.d`, 'a\0@b.c'],
    ]
    const names = addresses.map(nameOfMailbox)
    assert.equal(new Set(names).size, addresses.length)
    for (const name of names) assert.match(name, /^(?!\.+$)[a-z0-9._+%-]{1,200}$/)
  })
})
