import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sizeText } from './size-text.ts'

test('shows sizes with a suitable unit', () => {
  assert.deepEqual(
    [0, 1, 1023, 1024, 5 * 1024 ** 3, 2 ** 60].map((bytes) => sizeText(bytes)),
    ['0 B', '1 B', '1023 B', '1 KiB', '5 GiB', '1048576 TiB'],
  )
})
