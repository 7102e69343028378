import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { showCatalog } from './catalog.ts'
import { generateSecrets } from './generate.ts'
import { fill, maskEnv, secretsIn } from './templates.ts'

const env = ['A={{secret:db}}', 'URL=postgres://u:{{secret:db}}@db/x', 'KEY={{secret:key:base64}}', 'B=1']

describe('secrets of an entry', () => {
  it('are named once each, with their format', () => {
    assert.deepEqual(secretsIn(env), [
      { name: 'db', format: 'text' },
      { name: 'key', format: 'base64' },
    ])
  })

  it('are drawn with 32 letters and digits, or 32 bytes, and differ at each draw', () => {
    const [one, other] = [generateSecrets(secretsIn(env)), generateSecrets(secretsIn(env))]
    assert.match(one['db'] ?? '', /^[A-Za-z0-9]{32}$/)
    assert.equal(Buffer.from(one['key'] ?? '', 'base64').length, 32)
    assert.notDeepEqual(one, other)
  })

  it('are filled in wherever they are named, literally', () => {
    const filled = env.map((entry) => fill(entry, { name: 'x', secrets: { db: '$& $1', key: 'k' } }))
    assert.deepEqual(filled, ['A=$& $1', 'URL=postgres://u:$& $1@db/x', 'KEY=k', 'B=1'])
    assert.equal(fill('{{name}}-data:/x', { name: 'my.app', secrets: {} }), 'my.app-data:/x')
  })

  it('are an error where none was generated', () => {
    assert.throws(() => fill('A={{secret:db}}', { name: 'x', secrets: {} }), /secret db/)
  })

  it('are masked as a whole value, and never shown by the catalog', () => {
    assert.deepEqual(maskEnv(env), ['A=••••••••', 'URL=••••••••', 'KEY=••••••••', 'B=1'])
    assert.doesNotMatch(JSON.stringify(showCatalog()), /\{\{secret/)
  })
})
