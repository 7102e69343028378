import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ipv4Form } from './ipv4-form.ts'

describe('the IPv4 form', () => {
  it('is that of mapped addresses and networks, however they are written', () => {
    const forms: Readonly<Record<string, string>> = {
      '::ffff:192.0.2.9': '192.0.2.9',
      '::FFFF:192.0.2.9': '192.0.2.9',
      '::ffff:c000:209': '192.0.2.9',
      '0:0:0:0:0:ffff:c000:0209': '192.0.2.9',
      '0000:0000:0000:0000:0000:ffff:192.0.2.9': '192.0.2.9',
      '::ffff:0:0': '0.0.0.0',
      '::ffff:192.0.2.0/120': '192.0.2.0/24',
      '::ffff:192.0.2.9/128': '192.0.2.9/32',
      '::ffff:0:0/96': '0.0.0.0/0',
    }
    for (const [text, form] of Object.entries(forms)) assert.equal(ipv4Form(text), form, text)
  })

  it('is no other text', () => {
    for (const text of [
      '192.0.2.9',
      '192.0.2.0/24',
      '2001:db8::ffff:c000:209',
      '::ffff:0:192.0.2.9',
      '64:ff9b::c000:209',
      '::ffff:192.0.2.9%eth0',
      '::ffff:192.0.2.9/95',
      '::ffff:192.0.2.9/129',
      '::ffff:192.0.2.9/120/8',
      '::ffff:192.0.2.256',
      '::ffff:010.0.0.1',
      'a@[::ffff:192.0.2.9',
      '::/0',
      'local',
      '',
    ])
      assert.equal(ipv4Form(text), text)
  })
})
