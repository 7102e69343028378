import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Row } from '../../store/differences.ts'
import { reasonOf, restoredOf } from './tables.ts'

const key = { id: 1 }
const site = { ...key, domain: 'shop.test', type: 'php', is_suspended: 0, https_redirect: 0, updated_at: 'a' }
const differing = (table: string, now: Row | undefined, former: Row | undefined) => ({
  table,
  key,
  ...(now && { now }),
  ...(former && { former }),
})

describe('a difference of the store', () => {
  for (const [title, difference] of [
    [
      'in how nginx serves a website',
      differing('websites', site, { ...site, https_redirect: 1, updated_at: 'b' }),
    ],
    ['in the settings of a website', differing('website_settings', { settings: '{}' }, undefined)],
    ['in an alias', differing('website_aliases', undefined, { name: 'a.test', website_id: 1 })],
    [
      'in where the SSH audit is sent',
      differing('ssh_audit', { ...key, enabled: 1, port: 1 }, { ...key, enabled: 1, port: 2 }),
    ],
  ] as const)
    test(`${title} is taken back`, () => {
      assert.equal(reasonOf([difference]), undefined)
      assert.deepEqual(restoredOf([difference]), [difference])
    })

  for (const [reason, difference] of [
    ['the website shop.test was created', differing('websites', site, undefined)],
    ['the website shop.test was deleted', differing('websites', undefined, site)],
    [
      'is_suspended of the website shop.test was changed',
      differing('websites', { ...site, is_suspended: 1 }, site),
    ],
    ['the SSH audit was started or ended', differing('ssh_audit', { ...key, enabled: 1 }, undefined)],
    [
      'the source of log lines net was deleted',
      differing('logstore_sources', undefined, { ...key, name: 'net' }),
    ],
  ] as const)
    test(`makes a snapshot unfit as ${reason}`, () => assert.equal(reasonOf([difference]), reason))

  test('in a database that is there is left as it is', () => {
    const difference = differing('databases', { ...key, name: 'a' }, { ...key, name: 'b' })
    assert.equal(reasonOf([difference]), undefined)
    assert.deepEqual(restoredOf([difference]), [])
  })
})
