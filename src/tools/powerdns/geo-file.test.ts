import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtAt } from './geo-file.ts'
import { mmdb } from './testing/mmdb.ts'

describe('an MMDB file', () => {
  it('tells when it was built', () => {
    const built = new Date('2026-05-01T00:00:00Z')
    assert.deepEqual(builtAt(mmdb({ '192.0.2.0/24': 'DE' }, built).toString('latin1')), built)
  })

  it('is not any other file', () => {
    assert.equal(builtAt('build_epoch'), undefined)
    assert.equal(builtAt('\u00ab\u00cd\u00efMaxMind.com build_epoch'), undefined)
  })
})
