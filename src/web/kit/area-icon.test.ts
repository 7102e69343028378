import assert from 'node:assert/strict'
import { test } from 'node:test'
import { iconOfPath } from './area-icon.ts'

const areas: { readonly icon?: string; readonly byPath: Record<string, string> }[] = [
  { icon: 'users', byPath: { '/users': 'list', '/users/$uid': 'one' } },
  { icon: 'activity', byPath: { '/activity': 'all', '/account/activity': 'mine' } },
  { byPath: { '/account': 'account' } },
]

test('a page has the icon of its area', () => {
  assert.equal(iconOfPath('/users', areas), 'users')
  assert.equal(iconOfPath('/users/7', areas), 'users')
  assert.equal(iconOfPath('/account/activity', areas), 'activity')
})

test('a page of an area without an icon, and one of no area, have none', () => {
  assert.equal(iconOfPath('/account', areas), undefined)
  assert.equal(iconOfPath('/usersettings', areas), undefined)
})
