import assert from 'node:assert/strict'
import { it } from 'node:test'
import { findLine, type Spot } from './find-line.ts'

const partBytes = 64

/** Reads a file as the panel does: a limited number of bytes, without splitting a character. */
const readerOf = (file: Buffer) => async (start: number) => {
  let end = Math.min(file.length, start + partBytes)
  while (end < file.length && ((file[end] ?? 0) & 0xc0) === 0x80) end--
  return {
    content: file.subarray(start, end).toString('utf8'),
    start,
    end,
    is_cut: end < file.length,
    encoding: 'utf-8' as const,
  }
}

/**
 * Returns the visible lines at a position: a part after the start of the file hides its first, incomplete
 * line.
 */
function lineAt(file: Buffer, { start, line }: Spot): string | undefined {
  const text = file.subarray(start).toString('utf8')
  return text.slice(start === 0 ? 0 : text.indexOf('\n') + 1).split('\n')[line - 1]
}

it('finds each line, wherever it lies and whatever its characters', async () => {
  const lines = Array.from(
    { length: 200 },
    (_, at) => `${at + 1} ${'é'.repeat(at % 9)}${'x'.repeat((at * 7) % 50)}`,
  )
  const file = Buffer.from(lines.join('\n'))
  for (const [at, line] of lines.entries()) {
    const spot = await findLine(readerOf(file), at + 1, file.length)
    assert.ok(spot, line)
    assert.equal(lineAt(file, spot), line)
  }
})

it('says so where the file has not so many lines, or not before the limit', async () => {
  const file = Buffer.from('line\n'.repeat(100))
  assert.equal(await findLine(readerOf(file), 500, file.length), undefined)
  assert.equal(await findLine(readerOf(file), 90, 128), undefined)
  assert.equal((await findLine(readerOf(file), 3, 128))?.line, 3)
})
