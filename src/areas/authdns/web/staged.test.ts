import assert from 'node:assert/strict'
import { test } from 'node:test'
import { absoluteName, draftOf, editedSets, relativeName, typedSet } from './staged.ts'

const set = (name: string, content: string) => ({ name, type: 'A', ttl: 60, records: [{ content }] })
const zone = {
  ...{ name: 'example.com', kind: 'Native', serial: 1, dnssec: false, masters: [] },
  rrsets: [set('example.com.', '192.0.2.1'), set('www.example.com.', '192.0.2.2')],
}

test('shows new, changed and removed sets as they are once they are applied', () => {
  const staged = {
    'www.example.com. A': set('www.example.com.', '192.0.2.9'),
    'example.com. A': { name: 'example.com.', type: 'A', changetype: 'DELETE' as const },
    'new.example.com. A': set('new.example.com.', '192.0.2.3'),
  }
  assert.deepEqual(
    editedSets(zone, staged).map(
      ({ shownName, state, records }) => `${shownName} ${state} ${records[0]?.content}`,
    ),
    ['new new 192.0.2.3', '@ removed 192.0.2.1', 'www changed 192.0.2.9'],
  )
})

test('makes a draft of what is typed in a row, and keeps records that are not served', () => {
  const records = [{ content: '192.0.2.1' }, { content: '192.0.2.2', disabled: true }]
  const [row] = editedSets({ ...zone, rrsets: [{ ...set('www.example.com.', ''), records }] }, {})
  const typed = typedSet(row!)
  assert.deepEqual(typed, { key: 'www.example.com. A', ttl: 60, text: '192.0.2.1\n192.0.2.2' })
  assert.deepEqual(draftOf(row!, { ...typed, ttl: 90, text: ' 192.0.2.3 \n\n192.0.2.2' }), {
    ...{ name: 'www.example.com.', type: 'A', ttl: 90, changetype: 'REPLACE' },
    records: [
      { content: '192.0.2.3', disabled: false },
      { content: '192.0.2.2', disabled: true },
    ],
  })
})

test('names are relative to the zone in the list, and absolute in requests', () => {
  for (const [typed, name] of [
    ['@', 'example.com.'],
    ['', 'example.com.'],
    ['www', 'www.example.com.'],
    ['WWW.example.com', 'www.example.com.'],
    ['www.example.com.', 'www.example.com.'],
  ] as const)
    assert.equal(absoluteName(typed, 'example.com'), name)
  assert.equal(relativeName('www.example.com.', 'example.com'), 'www')
  assert.equal(relativeName('example.com.', 'example.com'), '@')
})
