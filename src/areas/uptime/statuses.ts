/** The statuses of a web server that count as success where a monitor names none. */
const usual = [[200, 399]] as const

type Span = readonly [first: number, last: number]

/** Reads statuses such as `200-299, 401`; undefined if they are none. */
export function spansOf(text: string): readonly Span[] | undefined {
  if (text.trim() === '') return usual
  const spans: Span[] = []
  for (const part of text.split(',')) {
    const [, from, to = from] = /^\s*(\d{3})(?:\s*-\s*(\d{3}))?\s*$/.exec(part) ?? []
    const span: Span = [Number(from), Number(to)]
    if (from === undefined || span[0] < 100 || span[1] > 599 || span[0] > span[1]) return undefined
    spans.push(span)
  }
  return spans
}

/** True if a status is one of those that a monitor expects. */
export const isExpected = (status: number, text: string): boolean =>
  (spansOf(text) ?? usual).some(([first, last]) => status >= first && status <= last)
