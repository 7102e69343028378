import assert from 'node:assert/strict'
import { it } from 'node:test'
import { keepDraft, takeDraft } from './drafts.ts'

const draft = (text: string) => ({ text, kept: { text: '', encoding: 'utf-8', etag: '' } }) as const

it('gives what was not saved once, and keeps the last of many', () => {
  keepDraft('a', draft('one'))
  keepDraft('a', draft('two'))
  assert.equal(takeDraft('a')?.text, 'two')
  assert.equal(takeDraft('a'), undefined)
  for (let count = 0; count < 30; count++) keepDraft(`file ${count}`, draft(String(count)))
  assert.deepEqual(
    [takeDraft('file 9'), takeDraft('file 10')?.text, takeDraft('file 29')?.text],
    [undefined, '10', '29'],
  )
})
