import assert from 'node:assert/strict'
import { test } from 'node:test'
import { installForm } from './install-form.ts'

const me = { email: 'admin@example.com', username: null, is_admin: true }
const ada = { username: 'ada', fullname: 'Ada' }
const fieldsOf = (...args: Parameters<typeof installForm>) =>
  Object.keys(installForm(...args).schema.properties)

test('asks for an administrator and a version of PHP where an application has them', () => {
  const app = { has_administrator: true, type: 'php' } as const
  assert.deepEqual(fieldsOf(app, me, [ada]), [
    ...['domain', 'username', 'title', 'email', 'administrator', 'php_version', 'certificate'],
  ])
  assert.equal(installForm(app, me, [ada]).text['email']?.first, 'admin@example.com')
  const plain = { has_administrator: false, type: 'static' } as const
  assert.deepEqual(fieldsOf(plain, me, [ada]), ['domain', 'username', 'title', 'certificate'])
})

test('asks superusers alone for the owner', () => {
  const app = { has_administrator: false, type: 'static' } as const
  assert.ok(!fieldsOf(app, { ...me, username: 'ada', is_admin: false }, []).includes('username'))
})
