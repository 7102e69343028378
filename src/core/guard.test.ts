import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Caller } from './caller.ts'
import { admits, describeGuard, open, openUnlessWrong, permission, signedIn, superuser } from './guard.ts'
import { permissionSlugs } from './permissions.ts'

const caller = (isAdmin: boolean, ...slugs: readonly (typeof permissionSlugs)[number][]): Caller => ({
  ip: '',
  userAgent: '',
  requestId: '',
  user: { id: 1, email: '', isAdmin, username: null },
  permissions: new Set(slugs),
  sessionId: 1,
  keyId: null,
})
const needed = permission('websites_management')

it('admits a superuser everywhere', () => {
  for (const guard of [superuser, signedIn, needed, open('x')]) assert.ok(admits(guard, caller(true)))
})

it('admits a user with the permission, and no user with another one', () => {
  assert.ok(admits(needed, caller(false, 'websites_management')))
  assert.ok(!admits(needed, caller(false, 'terminal_access')))
  assert.ok(!admits(superuser, caller(false, ...permissionSlugs)))
  assert.ok(admits(signedIn, caller(false)))
})

it('is described in the notation of the contract', () => {
  assert.deepEqual([superuser, needed, signedIn, open('x'), openUnlessWrong('x')].map(describeGuard), [
    'SU',
    'PERM(websites_management)',
    'AUTH',
    'NONE',
    'NONE',
  ])
})
