import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areaOfPath } from './area-of-path.ts'

const areas: { readonly icon?: string; readonly byPath: Record<string, string> }[] = [
  { icon: 'users', byPath: { '/users': 'list', '/users/$uid': 'one' } },
  { icon: 'activity', byPath: { '/activity': 'all', '/account/activity': 'mine' } },
  { byPath: { '/account': 'account' } },
]

test('a page belongs to the area with the longest path', () => {
  assert.equal(areaOfPath('/users', areas)?.icon, 'users')
  assert.equal(areaOfPath('/users/7', areas)?.icon, 'users')
  assert.equal(areaOfPath('/account/activity', areas)?.icon, 'activity')
})

test('a page of an area without an icon has none, and a path with the same first letters is of no area', () => {
  assert.equal(areaOfPath('/account', areas)?.icon, undefined)
  assert.equal(areaOfPath('/usersettings', areas)?.icon, undefined)
})
