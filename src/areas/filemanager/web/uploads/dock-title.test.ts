import assert from 'node:assert/strict'
import { it } from 'node:test'
import { titleOf } from './dock-title.ts'

const of = (state: 'waiting' | 'sending' | 'paused' | 'failed' | 'done') => ({ state })

it('tells of the transfers what moves first, then what failed, then what is paused', () => {
  assert.equal(titleOf({ sendings: [of('sending'), of('done'), of('failed')] }), 'Uploading 1 of 3')
  assert.equal(
    titleOf({ sendings: [of('waiting')], coming: [{ state: 'coming' }] }),
    'Uploading 1 of 1, downloading 1',
  )
  assert.equal(
    titleOf({ sendings: [of('done')], coming: [{ state: 'coming' }, { state: 'done' }] }),
    'Downloading 1 of 2',
  )
  assert.equal(
    titleOf({ coming: [{ state: 'coming' }, { state: 'waiting' }, { state: 'failed' }] }),
    'Downloading 2 of 3',
  )
  assert.equal(titleOf({ sendings: [of('failed'), of('paused')] }), '1 failed')
  assert.equal(titleOf({ sendings: [of('paused'), of('done')] }), 'Uploads are paused')
  assert.equal(titleOf({ sendings: [of('done')] }), 'Uploads complete')
  assert.equal(titleOf({ coming: [{ state: 'done' }] }), 'Downloads complete')
})

it('tells of archives that are packed and unpacked beside the rest', () => {
  const [pack, unpack] = [
    { state: 'working', verb: 'pack' } as const,
    { state: 'working', verb: 'unpack' } as const,
  ]
  assert.equal(titleOf({ jobs: [pack] }), 'Compressing 1')
  assert.equal(
    titleOf({ jobs: [unpack, unpack], sendings: [of('sending')] }),
    'Uploading 1 of 1, extracting 2',
  )
  assert.equal(titleOf({ jobs: [pack, unpack] }), 'Compressing 1, extracting 1')
  assert.equal(
    titleOf({ jobs: [{ state: 'working', verb: 'copy' }, { state: 'working', verb: 'move' }, pack] }),
    'Compressing 1, copying 1, moving 1',
  )
  assert.equal(
    titleOf({
      jobs: [
        { state: 'working', verb: 'push' },
        { state: 'working', verb: 'fetch' },
      ],
    }),
    'Fetching 1, pushing 1',
  )
  assert.equal(titleOf({ jobs: [{ state: 'failed', verb: 'pack' }] }), '1 failed')
})
