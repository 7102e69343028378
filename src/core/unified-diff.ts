import { formatPatch, OMIT_HEADERS, structuredPatch, type StructuredPatch } from 'diff'

const context = 3
/**
 * Bounds the search for the shortest diff, whose time grows with the square of the number of changed lines.
 * A limit by the clock would make the diff depend on the load of the host.
 */
const maxEditLength = 1000

/**
 * Returns a unified diff of two texts with three lines of context; empty when they are equal. `undefined` is
 * an absent file. Texts that differ in more than 1,000 lines are shown with everything between the first and
 * the last changed line replaced: the diff is then longer than necessary, and still correct.
 */
export function unifiedDiff(path: string, before: string | undefined, after: string | undefined): string {
  if (before === after) return ''
  const [old, fresh] = [before ?? '', after ?? '']
  const patch =
    structuredPatch('', '', old, fresh, undefined, undefined, { context, maxEditLength }) ??
    replacedMiddle(old, fresh)
  const header = [
    `--- ${before === undefined ? '/dev/null' : path}`,
    `+++ ${after === undefined ? '/dev/null' : path}`,
  ]
  const hunks = patch.hunks.length === 0 ? '' : formatPatch(patch, OMIT_HEADERS)
  return `${header.join('\n')}\n${hunks}`
}

/** Returns the unified diff that takes back another one. */
export function reversedDiff(diff: string): string {
  if (diff === '') return ''
  const [from = '', to = '', ...rest] = diff.split('\n')
  const lines: string[] = [to.replace('+++', '---'), from.replace('---', '+++')]
  const [removed, added]: [string[], string[]] = [[], []]
  const flush = () => lines.push(...removed.splice(0), ...added.splice(0))
  let side = removed
  for (const line of rest) {
    if (line.startsWith('-')) (side = added).push(`+${line.slice(1)}`)
    else if (line.startsWith('+')) (side = removed).push(`-${line.slice(1)}`)
    else if (line.startsWith('\\') && removed.length + added.length > 0) side.push(line)
    else {
      flush()
      lines.push(line.replace(/^@@ -(\S+) \+(\S+) @@/, '@@ -$2 +$1 @@'))
    }
  }
  flush()
  return lines.join('\n')
}

function replacedMiddle(before: string, after: string): StructuredPatch {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const shorter = Math.min(old.length, fresh.length)
  let head = 0
  while (head < shorter && old[head] === fresh[head]) head++
  let tail = 0
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++
  const start = Math.max(0, head - context)
  const following = Math.min(tail, context)
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => `${mark}${line}`)
  const lines = [
    ...marked(' ', old.slice(start, head)),
    ...marked('-', old.slice(head, old.length - tail)),
    ...marked('+', fresh.slice(head, fresh.length - tail)),
    ...marked(' ', old.slice(old.length - tail, old.length - tail + following)),
  ].flatMap((line) => line.split('\n'))
  return {
    oldFileName: '',
    newFileName: '',
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [
      {
        oldStart: start + 1,
        oldLines: old.length - tail + following - start,
        newStart: start + 1,
        newLines: fresh.length - tail + following - start,
        lines,
      },
    ],
  }
}

/** The lines of a text; a last one without a line break carries the marker that diffs use for it. */
function linesOf(text: string): readonly string[] {
  const lines = text.split('\n')
  const last = lines.pop()
  return last === undefined || last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`]
}
