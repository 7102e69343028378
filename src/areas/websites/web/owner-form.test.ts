import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, firstValues, shownFields } from '../../../web/kit/schema-fields.ts'
import { accountFor, noZone, ownerForm } from './owner-form.ts'

const me = { id: 1, email: 'Reeve.Admin@example.com', username: null }
const ada = { username: 'ada', fullname: 'Ada', is_suspended: false }
const all = (...items: readonly (Omit<typeof ada, 'username'> & { readonly username: string | null })[]) => ({
  items,
  total: items.length,
})
const opened = (...asked: Parameters<typeof ownerForm>) => {
  const { schema, text } = ownerForm(...asked)
  const fields = fieldsOf(schema, text)
  const shown = (owner: string) => {
    const values = { ...firstValues(fields), username: owner }
    return shownFields(fields, values).map(({ name }) => name)
  }
  return { owner: fields.find(({ name }) => name === 'username')!, values: firstValues(fields), shown }
}

test('offers the hosting users who are not suspended, and requires a choice among them', () => {
  const none = { username: null, fullname: 'None', is_suspended: false }
  const { owner } = opened(me, all(ada, none, { ...ada, username: 'bob', is_suspended: true }))
  assert.deepEqual(Object.values(owner.labels), ['ada (Ada)', 'Me, with a new Linux account', 'New owner …'])
  assert.deepEqual([owner.control, owner.isRequired, owner.first], ['select', true, ''])
})

test('begins with the own account, which is created on demand where there is no owner yet', () => {
  const { owner, values, shown } = opened(me, all())
  assert.deepEqual([values['own_account'], values['account']], ['reeveadmin', ''])
  assert.deepEqual(shown(String(owner.first)), ['domain', 'username', 'own_account', 'type', 'aliases'])
  const hosting = opened({ ...me, username: 'ada' }, all(ada))
  assert.equal(hosting.owner.first, 'ada')
  assert.deepEqual(Object.values(hosting.owner.labels), ['ada (Ada)', 'New owner …'])
})

test('asks for the fields of a new owner only where one is chosen', () => {
  const { owner, shown } = opened(me, all(ada))
  assert.deepEqual(shown('ada'), ['domain', 'username', 'type', 'aliases'])
  const fresh = ['domain', 'username', 'email', 'fullname', 'account', 'password', 'type', 'aliases']
  assert.deepEqual(shown(owner.choices.at(-1) ?? ''), fresh)
})

test('offers the templates of a DNS zone where there are some, and begins with none', () => {
  const fieldOf = (...asked: Parameters<typeof ownerForm>) => {
    const { schema, text } = ownerForm(...asked)
    return fieldsOf(schema, text).find(({ name }) => name === 'dns_template')
  }
  assert.equal(fieldOf(me, all(ada)), undefined)
  for (const users of [all(ada), { items: [ada], total: 501 }]) {
    const field = fieldOf(me, users, ['Website with mail', 'Parked'])
    assert.deepEqual(
      [field?.control, field?.choices, field?.first, field?.labels[noZone]],
      ['select', [noZone, 'Website with mail', 'Parked'], noZone, 'None'],
    )
  }
})

test('has the account typed where there are more users than a list shows', () => {
  const { owner } = opened(me, { items: [ada], total: 501 })
  assert.deepEqual([owner.control, owner.choices], ['text', []])
})

test('suggests an account name that useradd accepts', () => {
  const addresses = ['9Ada.B+x@a', '-@a', `${'a'.repeat(40)}@a`, 'admin@hosts.example']
  assert.deepEqual(addresses.map(accountFor), ['adabx', '', 'a'.repeat(32), 'hosts'])
})
