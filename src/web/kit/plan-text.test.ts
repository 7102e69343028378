import assert from 'node:assert/strict'
import { test } from 'node:test'
import { editedFiles, rowTexts, saysMore } from './plan-text.ts'

const step = (title: string) => ({ title })

test('says the summary once: neither below the same title nor above a single step of the same text', () => {
  const plan = { summary: 'Delete shop.test', steps: [step('Stop serving it'), step('Delete shop.test')] }
  assert.equal(saysMore(plan, 'Suspend shop.test'), true)
  assert.equal(saysMore(plan, 'delete shop.test'), false)
  assert.equal(saysMore({ ...plan, steps: [step('Delete shop.test.')] }), false)
  assert.equal(saysMore({ ...plan, summary: '' }), false)
})

test('names each kind of row once', () => {
  const row = (write: string, table: string) => ({ write, table, columns: [] })
  const rows = [row('insert', 'website_aliases'), row('insert', 'website_aliases'), row('update', 'websites')]
  assert.deepEqual(rowTexts({ rows }), ['insert website aliases', 'update websites'])
})

test('finds the files that were edited by hand in all steps', () => {
  const steps = [
    step('Create the folder'),
    { ...step('Write the site'), edited_by_hand: ['/etc/nginx/a.conf'] },
  ]
  assert.deepEqual(editedFiles({ steps }), ['/etc/nginx/a.conf'])
  assert.deepEqual(editedFiles({ steps: [step('Create the folder')] }), [])
})
