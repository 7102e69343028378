/** A configuration as its lines, each with its own line end: joined they are the text, to the byte. */
export interface Config {
  readonly lines: readonly string[]
}

const mostKnown = 4
const known: { readonly text: string; readonly config: Config }[] = []

/** Reads any text; nothing is refused, as HAProxy itself is the judge of what is right. The last few texts are read once each. */
export function parseConfig(text: string): Config {
  const found = known.find((each) => each.text === text)
  if (found !== undefined) return found.config
  const config = { lines: text.match(/[^\n]*\n|[^\n]+$/g) ?? [] }
  known.unshift({ text, config })
  known.length = Math.min(known.length, mostKnown)
  return config
}

/** The text of a configuration. */
export function writeConfig(config: Config): string {
  return config.lines.join('')
}

/** The line end that new lines get: that of the first line. */
export function lineEndOf({ lines }: Config): string {
  return lines[0]?.endsWith('\r\n') ? '\r\n' : '\n'
}

/** The configuration with some lines replaced by others, given without line ends. */
export function spliceLines(config: Config, start: number, end: number, fresh: readonly string[]): Config {
  const lineEnd = lineEndOf(config)
  const before = config.lines.slice(0, start)
  const after = config.lines.slice(end)
  const last = before.at(-1)
  if (fresh.length > 0 && last !== undefined && !last.endsWith('\n'))
    before[before.length - 1] = last + lineEnd
  return { lines: [...before, ...fresh.map((line) => line + lineEnd), ...after] }
}

/** A line without its line end. */
export function bare(line: string): string {
  return line.replace(/\r?\n$/, '')
}
