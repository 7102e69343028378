import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { showCatalog } from '../../catalog/catalog.ts'
import { typedPortText } from '../state.ts'
import { entriesOf, findEntries, foldersOf, secretsOf } from './entries.ts'

const entries = entriesOf(showCatalog())
const found = (text: string, more: object = {}) =>
  findEntries(entries, { text, category: '', kind: '', ...more }).map(({ kind, id }) => `${kind} ${id}`)
const partsOf = (kind: string, id: string) =>
  entries.find((entry) => entry.kind === kind && entry.id === id)?.parts ?? assert.fail(id)

describe('the entries of the catalog', () => {
  it('are found by each term in a name, a description or an image', () => {
    assert.ok(found('').length === entries.length)
    assert.ok(found('REDIS replica').includes('stack redis-replica'))
    assert.ok(found('postgres:').length > 1)
    assert.deepEqual(found('redis no-such-term'), [])
  })

  it('are narrowed to a category and a kind', () => {
    assert.ok(found('', { category: 'Monitoring', kind: 'stack' }).includes('stack prometheus-grafana'))
    assert.ok(found('', { kind: 'app' }).every((text) => text.startsWith('app ')))
    assert.ok(!found('', { category: 'Databases' }).includes('app nginx'))
  })

  it('name the generated passwords and the folders of the host', () => {
    assert.deepEqual(secretsOf(partsOf('app', 'redis')), ['REDISCLI_AUTH'])
    assert.deepEqual(secretsOf(partsOf('app', 'nginx')), [])
    assert.deepEqual(foldersOf(partsOf('app', 'apache'), 'pages'), ['/srv/pages/htdocs'])
    assert.deepEqual(foldersOf(partsOf('app', 'redis'), 'cache'), [])
  })
})

describe('a port that is typed', () => {
  it('is shown with who will reach it', () => {
    assert.deepEqual(
      [' 8080:80 ', '127.0.0.1:5353:53/udp', '192.0.2.1:80:80', '[::1]:81:80', '80', '8080'].map(
        typedPortText,
      ),
      [
        '8080 → 80/tcp (anyone)',
        '127.0.0.1:5353 → 53/udp (this host only)',
        '192.0.2.1:80 → 80/tcp (through this address)',
        '[::1]:81 → 80/tcp (this host only)',
        undefined,
        undefined,
      ],
    )
  })
})
