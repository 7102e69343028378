import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bitOf, bitsOf, everyBitOf, lettersOf, octalOf } from './modes.ts'

describe('a mode', () => {
  it('is read in octal, without setuid and setgid', () => {
    assert.equal(bitsOf('644'), 0o644)
    assert.equal(bitsOf('0755'), 0o755)
    assert.equal(bitsOf('1777'), 0o1777)
    for (const bad of ['4755', '2755', '9', '88', '', '7777', 'rwx'])
      assert.equal(bitsOf(bad), undefined, bad)
  })

  it('is written as ls writes it', () => {
    assert.equal(lettersOf(0o644), 'rw-r--r--')
    assert.equal(lettersOf(0o755), 'rwxr-xr-x')
    assert.equal(lettersOf(0o1777), 'rwxrwxrwt')
    assert.equal(lettersOf(0o1666), 'rw-rw-rwT')
    assert.equal(octalOf(0o7), '007')
  })

  it('of an entry is read and written with setuid and setgid, which the panel does not set', () => {
    assert.deepEqual(
      ['4755', '2770', '06644', '0644', '0'].map(everyBitOf),
      [0o4755, 0o2770, 0o6644, 0o644, 0],
    )
    assert.deepEqual([0o4755, 0o2770, 0o6644].map(lettersOf), ['rwsr-xr-x', 'rwxrws---', 'rwSr-Sr--'])
    assert.equal(everyBitOf('rwx'), undefined)
  })

  it('has one bit for each right of each class', () => {
    assert.equal(bitOf('owner', 'read'), 0o400)
    assert.equal(bitOf('group', 'write'), 0o020)
    assert.equal(bitOf('others', 'execute'), 0o001)
  })
})
