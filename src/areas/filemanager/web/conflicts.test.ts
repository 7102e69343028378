import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { askOnce, type Clash, settleClash } from './conflicts.ts'

const there = { type: 'file', size_bytes: 1, modified_at: '2026-11-21T12:00:00Z' }
const file = (label: string): Clash => ({ label, folder: 'site', isFolder: false, there })
const folderOnFile: Clash = { ...file('docs'), isFolder: true }

describe('a question about a taken name', () => {
  it('is answered for all those of the same work that wait behind it', async () => {
    const ask = askOnce()
    const both = Promise.all([ask(file('a')), ask(file('b'))])
    settleClash({ choice: 'overwrite', forAll: true })
    assert.deepEqual(await both, ['overwrite', 'overwrite'])
    assert.equal(await ask(file('c')), 'overwrite')
  })

  it('is asked again for another piece of work, also where that waits already', async () => {
    const [first, second] = [askOnce(), askOnce()]
    const answers = [first(file('a')), second(file('b'))]
    settleClash({ choice: 'overwrite', forAll: true })
    settleClash({ choice: 'skip', forAll: false })
    assert.deepEqual(await Promise.all(answers), ['overwrite', 'skip'])
    const third = askOnce()(file('c'))
    settleClash({ choice: 'both', forAll: false })
    assert.equal(await third, 'both')
  })

  it('is asked again where what was said for all cannot be done, as a folder replaces no file', async () => {
    const ask = askOnce()
    const answers = [ask(file('a')), ask(folderOnFile)]
    settleClash({ choice: 'overwrite', forAll: true })
    settleClash({ choice: 'both', forAll: false })
    assert.deepEqual(await Promise.all(answers), ['overwrite', 'both'])
  })
})
