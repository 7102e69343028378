import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPresentDatabase } from './database-setting.ts'

const former = 'database_url = "postgres://localhost/former"\n'
const present = 'database_url = "postgres://localhost/present"\n'

test('the settings of a backup get the address of the database that the panel has now, or none', () => {
  const rest = 'log_level = "warn"\n'
  assert.equal(withPresentDatabase(former + rest, present), present + rest)
  assert.equal(withPresentDatabase(former + rest, ''), rest)
  assert.equal(withPresentDatabase(rest, present), rest + present)
})
