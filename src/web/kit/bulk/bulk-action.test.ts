import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Bulk, workOn } from './bulk-action.ts'

test('the work of a bulk action leaves out the rows that it does not apply to', () => {
  const bulk: Bulk<{ readonly id: number; readonly isDone: boolean }> = {
    noun: ['row', 'rows'],
    nameOf: ({ id }) => `row ${id}`,
    onDone: async () => {},
    actions: [
      {
        label: 'Finish',
        note: 'They end.',
        appliesTo: ({ isDone }) => !isDone,
        call: ({ id }) => ({ method: 'POST', path: `/rows/${id}/finish` }),
      },
    ],
  }
  const rows = [1, 2, 3].map((id) => ({ id, isDone: id === 2 }))
  const [finish] = bulk.actions
  assert.ok(finish)
  const { targets, isDestructive } = workOn(bulk, finish, rows)
  assert.deepEqual(
    targets.map(({ name, call }) => [name, call.path]),
    [
      ['row 1', '/rows/1/finish'],
      ['row 3', '/rows/3/finish'],
    ],
  )
  assert.equal(isDestructive, false)
})
