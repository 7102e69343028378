import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { acceptable, replacements, stateOf } from './record-states.ts'

const setOf = (type: string, contents: readonly string[]) => ({
  ...{ name: 'www.example.com.', type, ttl: 60 },
  records: contents.map((content) => ({ content, disabled: false })),
})

/** Returns the contents of a set as a step compares them with the wanted ones. */
function compared(type: string, present: readonly string[], wanted: readonly string[]) {
  const state = stateOf([setOf(type, present)], stateOf([setOf(type, wanted)]))
  return Object.values(state).flatMap(({ records }) => records.map(({ content }) => content))
}

describe('the state of a record set', () => {
  it('keeps the case of texts and the blanks inside quotes', () => {
    assert.deepEqual(compared('TXT', ['"AbC"'], ['"abc"']), ['"AbC"'])
    assert.deepEqual(compared('TXT', ['"AbC"', '"abc"'], ['"AbC"']), ['"AbC"', '"abc"'])
    assert.deepEqual(compared('TXT', ['"a  b"'], ['"a b"']), ['"a  b"'])
    assert.deepEqual(compared('TXT', ['"a\\"  B" "c"'], ['"a\\" B" "c"']), ['"a\\"  B" "c"'])
    assert.deepEqual(compared('DHCID', ['AAAB'], ['aaab']), ['AAAB'])
  })

  it('has the wanted form of names, digits and blanks between fields', () => {
    assert.deepEqual(compared('MX', ['10 Mail.Example.com.'], ['10 mail.example.com.']), [
      '10 mail.example.com.',
    ])
    assert.deepEqual(compared('TXT', ['"a" "b"'], [' "a"   "b" ']), [' "a"   "b" '])
  })

  it('has the wanted form of addresses that PowerDNS stores dotted', () => {
    assert.deepEqual(
      compared('AAAA', ['::ffff:192.0.2.1', '::192.0.2.1'], ['::ffff:c000:201', '::c000:201']),
      ['::c000:201', '::ffff:c000:201'],
    )
    assert.deepEqual(compared('AAAA', ['::ffff:192.0.2.1'], ['::ffff:c000:202']), ['::ffff:192.0.2.1'])
  })

  it('is written with hexadecimal addresses, also where it was read with dotted ones', () => {
    const dotted = setOf('AAAA', ['::ffff:192.0.2.1', '2001:db8::1'])
    const written = setOf('AAAA', ['::ffff:c000:201', '2001:db8::1'])
    assert.deepEqual(acceptable(dotted), written)
    assert.deepEqual(replacements(stateOf([dotted]), {}), [{ ...written, changetype: 'REPLACE' }])
    assert.deepEqual(acceptable(setOf('TXT', ['"::ffff:192.0.2.1"'])), setOf('TXT', ['"::ffff:192.0.2.1"']))
  })

  it('has each wanted form once, and first where it is present as such', () => {
    assert.deepEqual(compared('MX', ['10 A.', '10 a.'], ['10 a.']), ['10 A.', '10 a.'])
    assert.deepEqual(compared('MX', ['10 AA.', '10 Aa.'], ['10 aa.']), ['10 Aa.', '10 aa.'])
  })
})
