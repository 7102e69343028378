const around = 3
const mostCells = 4_000_000

type Step = readonly [' ' | '-' | '+', string]

/** The change from one text to another as a unified diff, with three lines around each part; empty where they are the same. */
export function lineDiff(before: string, after: string): string {
  const steps = stepsBetween(before.split('\n'), after.split('\n'))
  const lines: string[] = []
  let [oldLine, newLine, end] = [1, 1, -1]
  for (const [index, [mark, text]] of steps.entries()) {
    const isNear = steps.slice(Math.max(0, index - around), index + around + 1).some(([each]) => each !== ' ')
    if (isNear) {
      if (end !== index) lines.push(`@@ -${oldLine} +${newLine} @@`)
      lines.push(mark + text)
      end = index + 1
    }
    if (mark !== '+') oldLine++
    if (mark !== '-') newLine++
  }
  return lines.join('\n')
}

function stepsBetween(before: readonly string[], after: readonly string[]): readonly Step[] {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const same = (lines: readonly string[]) => lines.map((text): Step => [' ', text])
  const middle = shortest(before.slice(head, before.length - tail), after.slice(head, after.length - tail))
  return [...same(before.slice(0, head)), ...middle, ...same(tail > 0 ? before.slice(-tail) : [])]
}

/** The longest common part by a table; texts too long for one are told as replaced. */
function shortest(before: readonly string[], after: readonly string[]): readonly Step[] {
  const width = after.length + 1
  if ((before.length + 1) * width > mostCells)
    return [...before.map((text): Step => ['-', text]), ...after.map((text): Step => ['+', text])]
  const table = new Uint32Array((before.length + 1) * width)
  const at = (row: number, column: number): number => table[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      table[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1))
  const steps: Step[] = []
  let [row, column] = [0, 0]
  while (row < before.length || column < after.length) {
    const [old, fresh] = [before[row], after[column]]
    if (old !== undefined && old === fresh) {
      steps.push([' ', old])
      row++
      column++
    } else if (old !== undefined && (fresh === undefined || at(row + 1, column) >= at(row, column + 1))) {
      steps.push(['-', old])
      row++
    } else {
      steps.push(['+', fresh ?? ''])
      column++
    }
  }
  return steps
}
