import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pageOf } from './paged-rows.ts'

interface Row {
  readonly name: string
}

const rows: readonly Row[] = ['web10', 'web2', 'db1', 'WEB1'].map((name) => ({ name }))
const columns = [
  { id: 'name', title: 'Name', sort: 'name', value: ({ name }: Row) => name, cell: () => null },
]
const whole = { rows, columns, textOf: ({ name }: Row) => name }
const asked = { search: '', sort: '', page: 1, perPage: 2 }
const namesOn = (state: Partial<typeof asked>) =>
  pageOf(whole, { ...asked, ...state }).items.map(({ name }) => name)

test('pages a list in its own order, or in that of a column', () => {
  assert.deepEqual(
    [namesOn({}), namesOn({ page: 2 })],
    [
      ['web10', 'web2'],
      ['db1', 'WEB1'],
    ],
  )
  assert.deepEqual(namesOn({ sort: 'name', perPage: 4 }), ['db1', 'WEB1', 'web2', 'web10'])
  assert.deepEqual(namesOn({ sort: '-name' }), ['web10', 'web2'])
})

test('searches in upper and lower case, and shows the last page where the list became shorter', () => {
  const page = pageOf(whole, { ...asked, search: ' web', page: 3, sort: 'name' })
  assert.deepEqual([page.items, page.total, page.page], [[{ name: 'web10' }], 3, 2])
  assert.deepEqual(namesOn({ search: 'nothing', page: 2 }), [])
})
