import type { LineMessage } from '../../../web/kit/CodeEditor.tsx'

/** What HAProxy's checker said, taken apart. */
export interface CheckerText {
  /** What it says of lines. */
  readonly lines: readonly LineMessage[]
  /** What it says of the whole. */
  readonly rest: readonly string[]
}

const hollow = /^(?:Error\(s\) found in configuration file|Fatal errors found in configuration)/

/** Reads what `haproxy -c` prints: `[ALERT] config : parsing [/etc/haproxy/haproxy.cfg:9] : unknown keyword 'x'`. */
export function readChecker(output: string): CheckerText {
  const lines: LineMessage[] = []
  const rest: string[] = []
  for (const text of output.split('\n').map((each) => each.trim())) {
    if (text === '') continue
    const found = /\[[^\][]*:(\d+)\]\s*:?\s*/.exec(text)
    const bare = text.replace(/^\[\w+\]\s*(?:\(\d+\)\s*)?:?\s*/, '').replace(/^config\s*:\s*/, '')
    if (found)
      lines.push({
        line: Number(found[1]),
        message:
          bare
            .replace(/^parsing\s*/, '')
            .replace(found[0], '')
            .trim() || bare,
      })
    else if (!hollow.test(bare)) rest.push(bare)
  }
  return { lines, rest: lines.length + rest.length > 0 ? rest : [output.trim()].filter(Boolean) }
}
