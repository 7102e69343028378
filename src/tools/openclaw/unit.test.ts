import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isVersion } from './layout.ts'
import { renderUnit, versionIn } from './unit.ts'

test('the unit runs the version under the account of the assistant, and tells which it is', () => {
  const text = renderUnit('2026.9.6')
  assert.equal(versionIn(text), '2026.9.6')
  assert.match(text, /^User=ai$/m)
  assert.match(text, /^RestartPreventExitStatus=78$/m)
  assert.match(text, /^Environment=OPENCLAW_CONFIG_READONLY=1$/m)
  assert.doesNotMatch(text, /TOKEN|API_KEY/)
})

test('another unit has no version', () => {
  assert.equal(versionIn(undefined), undefined)
  assert.equal(versionIn('[Service]\nExecStart=/usr/bin/openclaw gateway\n'), undefined)
})

test('a version is neither a path nor a tag', () => {
  for (const version of ['2026.9.6', '2026.10.1-beta.2']) assert.equal(isVersion(version), true)
  for (const version of ['latest', '../x', '1.2.3', '2026.9', '2026.9.6/..', '2026.9.6 x', ''])
    assert.equal(isVersion(version), false)
})
