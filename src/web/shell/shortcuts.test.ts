import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { shortcutOf } from './shortcuts.ts'

const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const of = (key: string, held: Partial<typeof plain> = {}, isBusy = false) =>
  shortcutOf({ key, ...plain, ...held }, isBusy)

describe('the shortcuts of the panel', () => {
  test('open the palette with Ctrl or Cmd and K, also while the reader types', () => {
    assert.deepEqual(
      [of('k', { ctrlKey: true }), of('K', { metaKey: true }), of('k', { ctrlKey: true }, true)],
      ['palette', 'palette', 'palette'],
    )
  })

  test('leave other combinations to the browser', () => {
    assert.deepEqual(
      [
        of('k'),
        of('k', { ctrlKey: true, shiftKey: true }),
        of('/', { ctrlKey: true }),
        of('?', { altKey: true }),
      ],
      [undefined, undefined, undefined, undefined],
    )
  })

  test('are single characters only where nothing is typed', () => {
    assert.deepEqual([of('/'), of('?', { shiftKey: true })], ['search', 'shortcuts'])
    assert.deepEqual([of('/', {}, true), of('?', { shiftKey: true }, true)], [undefined, undefined])
  })
})
