/** Returns a unified diff of two texts with three lines of context around each change; empty when they are equal. `undefined` is an absent file. */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return ''
  const lines = compare(linesOf(before), linesOf(after))
  const heads = [
    `--- ${before === undefined ? '/dev/null' : path}`,
    `+++ ${after === undefined ? '/dev/null' : path}`,
  ]
  return [...heads, ...hunksOf(lines).flatMap(renderHunk)].join('\n') + '\n'
}

interface DiffLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
  /** Lines of the old and of the new text before this one. */
  readonly oldAt: number
  readonly newAt: number
}

const around = 3
/** Above this many cells the middle is shown as replaced completely: a table of longest common subsequences would need too much memory. */
const maxCells = 4_000_000

function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  else lines.push(`${lines.pop()}\n\\ No newline at end of file`)
  return lines
}

function compare(old: string[], fresh: string[]): DiffLine[] {
  let head = 0
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < fresh.length - head && old.at(-1 - tail) === fresh.at(-1 - tail))
    tail++
  const middle = pairs(old.slice(head, old.length - tail), fresh.slice(head, fresh.length - tail))
  const texts: [DiffLine['mark'], string][] = [
    ...old.slice(0, head).map((text): [' ', string] => [' ', text]),
    ...middle,
    ...old.slice(old.length - tail).map((text): [' ', string] => [' ', text]),
  ]
  let oldAt = 0
  let newAt = 0
  return texts.map(([mark, text]) => ({
    mark,
    text,
    oldAt: mark === '+' ? oldAt : oldAt++,
    newAt: mark === '-' ? newAt : newAt++,
  }))
}

function pairs(old: string[], fresh: string[]): [DiffLine['mark'], string][] {
  const replaced = (): [DiffLine['mark'], string][] => [
    ...old.map((text): ['-', string] => ['-', text]),
    ...fresh.map((text): ['+', string] => ['+', text]),
  ]
  if (old.length * fresh.length > maxCells) return replaced()
  const common = commonLengths(old, fresh)
  const result: [DiffLine['mark'], string][] = []
  let i = 0
  let j = 0
  while (i < old.length && j < fresh.length) {
    if (old[i] === fresh[j]) {
      result.push([' ', old[i++]!])
      j++
    } else if (common(i + 1, j) >= common(i, j + 1)) result.push(['-', old[i++]!])
    else result.push(['+', fresh[j++]!])
  }
  while (i < old.length) result.push(['-', old[i++]!])
  while (j < fresh.length) result.push(['+', fresh[j++]!])
  return result
}

/** Length of the longest common subsequence of the lines from line i of the old and line j of the new text. */
function commonLengths(old: string[], fresh: string[]): (i: number, j: number) => number {
  const width = fresh.length + 1
  const table = new Uint32Array((old.length + 1) * width)
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = fresh.length - 1; j >= 0; j--) {
      const below = table[(i + 1) * width + j]!
      const right = table[i * width + j + 1]!
      table[i * width + j] =
        old[i] === fresh[j] ? table[(i + 1) * width + j + 1]! + 1 : Math.max(below, right)
    }
  }
  return (i, j) => table[i * width + j]!
}

function hunksOf(lines: DiffLine[]): DiffLine[][] {
  const hunks: DiffLine[][] = []
  let end = -1
  lines.forEach((line, index) => {
    if (line.mark === ' ') return
    const from = Math.max(index - around, 0)
    const to = Math.min(index + around + 1, lines.length)
    if (from <= end) hunks.at(-1)!.push(...lines.slice(end, to))
    else hunks.push(lines.slice(from, to))
    end = to
  })
  return hunks
}

function renderHunk(hunk: DiffLine[]): string[] {
  const first = hunk[0]!
  const oldCount = hunk.filter((line) => line.mark !== '+').length
  const newCount = hunk.filter((line) => line.mark !== '-').length
  const at = (before: number, count: number) => `${count === 0 ? before : before + 1},${count}`
  return [
    `@@ -${at(first.oldAt, oldCount)} +${at(first.newAt, newCount)} @@`,
    ...hunk.map((line) => line.mark + line.text),
  ]
}
