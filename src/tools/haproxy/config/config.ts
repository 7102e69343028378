/** A configuration as lines, each with its own line ending: joined, they are byte for byte the text. */
export interface Config {
  readonly lines: readonly string[]
}

const mostKnown = 4
const known: { readonly text: string; readonly config: Config }[] = []

/**
 * Parses any text; nothing is refused, because HAProxy itself validates configurations. The last few texts
 * are cached.
 */
export function parseConfig(text: string): Config {
  const found = known.find((each) => each.text === text)
  if (found !== undefined) return found.config
  const config = { lines: text.match(/[^\n]*\n|[^\n]+$/g) ?? [] }
  known.unshift({ text, config })
  known.length = Math.min(known.length, mostKnown)
  return config
}

/** Returns the text of a configuration. */
export function writeConfig(config: Config): string {
  return config.lines.join('')
}

/** Returns the line ending for new lines: that of the first line. */
export function lineEndOf({ lines }: Config): string {
  return lines[0]?.endsWith('\r\n') ? '\r\n' : '\n'
}

/** Replaces some lines of a configuration by others, given without line endings. */
export function spliceLines(config: Config, start: number, end: number, fresh: readonly string[]): Config {
  const lineEnd = lineEndOf(config)
  const before = config.lines.slice(0, start)
  const after = config.lines.slice(end)
  const last = before.at(-1)
  if (fresh.length > 0 && last !== undefined && !last.endsWith('\n'))
    before[before.length - 1] = last + lineEnd
  return { lines: [...before, ...fresh.map((line) => line + lineEnd), ...after] }
}

/** Returns a line without its line ending. */
export function bare(line: string): string {
  return line.replace(/\r?\n$/, '')
}
