import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setValue } from './set-value.ts'

test('sets a field, and a field of one row', () => {
  const values = { name: 'web', binds: [{ port: 80 }, { port: 443 }] }
  assert.deepEqual(setValue(values, 'name', 'shop'), { ...values, name: 'shop' })
  assert.deepEqual(setValue(values, 'binds.1.port', 8443).binds, [{ port: 80 }, { port: 8443 }])
  assert.deepEqual(values.binds[1], { port: 443 }, 'the former values stay as they are')
})
