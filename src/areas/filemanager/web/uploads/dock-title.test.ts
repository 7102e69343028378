import assert from 'node:assert/strict'
import { it } from 'node:test'
import { titleOf } from './dock-title.ts'

it('tells of the transfers what moves first, then what failed, then what is paused', () => {
  const of = (state: 'waiting' | 'sending' | 'paused' | 'failed' | 'done') => ({ state })
  assert.equal(titleOf([of('sending'), of('done'), of('failed')], []), 'Uploading 1 of 3')
  assert.equal(titleOf([of('waiting')], [{ state: 'coming' }]), 'Uploading 1 of 1, downloading 1')
  assert.equal(titleOf([of('done')], [{ state: 'coming' }, { state: 'done' }]), 'Downloading 1 of 2')
  assert.equal(titleOf([of('failed'), of('paused')], []), '1 failed')
  assert.equal(titleOf([of('paused'), of('done')], []), 'Uploads are paused')
  assert.equal(titleOf([of('done')], [{ state: 'done' }]), 'Uploads are over')
  assert.equal(titleOf([], [{ state: 'done' }]), 'Downloads are over')
})
