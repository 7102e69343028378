import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { namesOf } from './templates/names.ts'
import { areaRegistration, toolRegistration, withInsertions } from './templates/registrations.ts'

const names = namesOf('sample-notes')
const lists = [
  ['src/app/areas.ts', areaRegistration(names), /\.\.\/areas\/sample-notes\/index\.ts/],
  [
    'src/tools/index.ts',
    toolRegistration(names),
    /\nexport \{ sampleNotes \} from '\.\/sample-notes\/index\.ts'\n$/,
  ],
] as const

for (const [file, insertions, expected] of lists) {
  test(`a generator can register a new folder in ${file} as it is now`, () => {
    const text = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
    assert.match(withInsertions(file, text, insertions), expected)
  })
}

test('a list that has changed its form is named', () => {
  assert.throws(() => withInsertions('src/list.ts', 'other', [{ after: /none/, text: '' }]), /src\/list\.ts/)
})
