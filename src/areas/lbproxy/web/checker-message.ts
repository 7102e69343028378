import type { LineMessage } from '../../../web/kit/CodeEditor.tsx'

/** The parsed output of HAProxy's checker. */
export interface CheckerText {
  /** Messages about lines. */
  readonly lines: readonly LineMessage[]
  /** Messages about the whole file. */
  readonly rest: readonly string[]
}

const hollow = /^(?:Error\(s\) found in configuration file|Fatal errors found in configuration)/

/**
 * Parses the output of `haproxy -c`: `[ALERT] config : parsing [/etc/haproxy/haproxy.cfg:9] : unknown
 * keyword 'x'`.
 */
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
