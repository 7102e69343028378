import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { globMatcher } from './glob.ts'

describe('a pattern for names', () => {
  it('supports stars, question marks and sets, and matches everything else literally', () => {
    for (const [pattern, yes, no] of [
      ['*.php', ['a.php', '.php'], ['a.php.bak', 'php']],
      ['a?c*', ['abc', 'aäc', 'a𝄞cdef'], ['ac', 'xabc']],
      ['[a-c]x[!0-9]', ['axy', 'cx-'], ['dxy', 'ax0']],
      ['a[]]b[', ['a]b['], ['ab[']],
      ['a.b+(c)', ['a.b+(c)'], ['aXb+(c)']],
      ['**', ['', 'x'], []],
      ['', [''], ['x']],
    ] as const)
      for (const [names, is] of [
        [yes, true],
        [no, false],
      ] as const)
        for (const name of names) assert.equal(globMatcher(pattern)(name), is, `${pattern} ${name}`)
  })

  it('ends for a pattern that takes years where each star is tried at each place', () => {
    assert.equal(globMatcher('*a'.repeat(100))('a'.repeat(254) + 'b'), false)
  })
})
