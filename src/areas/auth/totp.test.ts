import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { base32, codeOf, counterAt, matchingCounter } from './totp.ts'

const key = Buffer.from('12345678901234567890')

describe('codes of an authenticator app', () => {
  // RFC 6238, appendix B: the last six of the eight digits
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const)
    test(`is ${code} at ${seconds} s`, () =>
      assert.equal(codeOf(key, counterAt(new Date(seconds * 1000))), code))

  // RFC 4648, section 10
  for (const [plain, encoded] of [
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foob', 'MZXW6YQ'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const)
    test(`encodes ${plain || 'nothing'} in base32`, () => assert.equal(base32(Buffer.from(plain)), encoded))

  const now = new Date(1_234_567_890_000)
  const at = counterAt(now)

  test('accepts the codes of this step and of its neighbours, and no other', () => {
    const accepted = [-2, -1, 0, 1, 2].map((off) =>
      matchingCounter(key, codeOf(key, at + off), { now, lastUsed: 0 }),
    )
    assert.deepEqual(accepted, [undefined, at - 1, at, at + 1, undefined])
  })

  test('accepts no code of a step that was used, nor an earlier one', () => {
    const accepted = [-1, 0, 1].map((off) =>
      matchingCounter(key, codeOf(key, at + off), { now, lastUsed: at }),
    )
    assert.deepEqual(accepted, [undefined, undefined, at + 1])
  })

  for (const code of ['', '00592', '0059240', '00592４', 'abcdef'])
    test(`rejects ${code || 'an empty code'}`, () =>
      assert.equal(matchingCounter(key, code, { now, lastUsed: 0 }), undefined))
})
