import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hexadecimalForm, writtenForm } from './addresses.ts'

test('writes the end of an IPv6 address dotted where it embeds an IPv4 address, as inet_ntop does', () => {
  for (const [typed, hexadecimal, written] of [
    ['::ffff:192.0.2.1', '::ffff:c000:201', '::ffff:192.0.2.1'],
    ['0:0:0:0:0:FFFF:C000:0201', '::ffff:c000:201', '::ffff:192.0.2.1'],
    ['::ffff:0:0', '::ffff:0:0', '::ffff:0.0.0.0'],
    ['::c000:201', '::c000:201', '::192.0.2.1'],
    ['::1:0', '::1:0', '::0.1.0.0'],
    ['::ffff:1', '::ffff:1', '::255.255.0.1'],
    ['::0.0.1.2', '::102', '::102'],
    ['::', '::', '::'],
    ['::1', '::1', '::1'],
    ['::1:ffff:c000:201', '::1:ffff:c000:201', '::1:ffff:c000:201'],
    ['::ffff:0:c000:201', '::ffff:0:c000:201', '::ffff:0:c000:201'],
    ['64:ff9b::192.0.2.1', '64:ff9b::c000:201', '64:ff9b::c000:201'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1', '2001:db8::1'],
  ] as const) {
    assert.equal(hexadecimalForm(typed), hexadecimal)
    assert.equal(writtenForm(typed), written, typed)
  }
})
