import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Check } from 'typebox/value'
import { Email } from '../../core/schemas.ts'
import { NewPassword } from './model.ts'

describe('an e-mail address', () => {
  it('is of printable ASCII, so that no two that look the same differ', () => {
    for (const good of [
      'ada@example.com',
      "o'brien+tag@mail.example",
      'a=b@xn--bcher-kva.example',
      'Ada@Example.com',
    ])
      assert.ok(Check(Email, good), good)
    for (const bad of [
      'ａda@example.com',
      'ada\u200b@example.com',
      'adа@example.com',
      'a"b@example.com',
      'ada@',
      'a b@c',
    ])
      assert.ok(!Check(Email, bad), bad)
  })
})

describe('a new password', () => {
  it('is neither blank nor a mask', () => {
    for (const good of ['correct horse', '  spaces around  ', '*'.repeat(9) + 'x', 'пароль из слов'])
      assert.ok(Check(NewPassword, good), good)
    for (const bad of [' '.repeat(12), '\t'.repeat(12), '*'.repeat(12), 'corr••••••••orse', 'short'])
      assert.ok(!Check(NewPassword, bad), bad)
  })
})
