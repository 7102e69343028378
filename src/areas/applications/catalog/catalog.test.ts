import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from 'typebox/value'
import { isNewer } from '../applications.ts'
import { versionIn } from '../source.ts'
import { entries } from './catalog.ts'
import { AppEntry } from './entry.ts'
import { setUpScripts } from './set-up-scripts.ts'
import { fill, secretsIn } from './templates.ts'

const filling = {
  domain: 'blog.example.com',
  title: '<b>"Tom" & \'Ann\'</b>',
  database: 'ada_wp1',
  database_user: 'ada_wp1',
  database_password: 'secret',
  secrets: {},
}

for (const entry of entries) {
  test(`${entry.id} is as the schema of entries says`, () => {
    assert.deepEqual([...Value.Errors(AppEntry, entry)], [])
  })

  test(`${entry.id} comes from somewhere, and tells where its version is`, () => {
    const isWritten = entry.writes.some(({ path }) => path === `public/${entry.version.file}`)
    assert.ok(entry.archive !== undefined || isWritten)
    assert.equal(versionIn(entry, ''), null)
    assert.equal(entry.sign_in === undefined, entry.set_up === undefined)
    assert.ok(entry.set_up === undefined || entry.set_up in setUpScripts)
  })

  test(`${entry.id} names placeholders alone that can be filled in`, () => {
    const secrets = Object.fromEntries(secretsIn(entry).map((name) => [name, `of ${name}`]))
    for (const { content } of entry.writes) {
      const text = fill(content, { ...filling, secrets })
      assert.ok(!text.includes('{{'), text)
      assert.ok(!text.includes('<b>'), 'the title is escaped')
    }
  })

  test(`${entry.id} keeps what has secrets to its owner`, () => {
    for (const { content, is_secret } of entry.writes)
      assert.equal(is_secret, /\{\{(?:secret:|database_password)/.test(content))
  })
}

test('refuses a placeholder that nothing stands for', () => {
  assert.throws(() => fill('{{secret:none}}', filling), /\{\{secret:none\}\}/)
  assert.throws(() => fill('{{owner}}', filling), /\{\{owner\}\}/)
})

test('compares versions by their numbers', () => {
  assert.ok(isNewer('6.10', '6.9.4'))
  for (const [offered, version] of [
    ['6.1.9', '6.1.9'],
    ['6.1.9', '6.4'],
    [null, '6.1'],
    ['6.1', null],
  ] as const)
    assert.ok(!isNewer(offered, version))
})
