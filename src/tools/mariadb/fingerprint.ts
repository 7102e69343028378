const longest = 2000

const part =
  /'(?:[^'\\]|\\[^]|'')*(?:'|$)|"(?:[^"\\]|\\[^]|"")*(?:"|$)|`(?:[^`]|``)*(?:`|$)|\/\*[^]*?(?:\*\/|$)|(?:--[ \t]|#)[^\n]*|\b0x[0-9a-f]+\b|(?<![\w$.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?\b|\s+/gi

/** Returns the shape of a statement: without its values and comments, so that no secret of a client shows. */
export function fingerprintOf(statement: string): string {
  const shape = statement
    .slice(0, 64 * 1024)
    .replace(part, (text) => {
      if (text.startsWith('`')) return text.toLowerCase()
      if (/^(?:\/\*|--|#|\s)/.test(text)) return ' '
      return '?'
    })
    .replaceAll(/ +/g, ' ')
    .replaceAll(/\(\s*\?(?:\s*,\s*\?)*\s*\)/g, '(?)')
    .replaceAll(/\(\?\)(?:\s*,\s*\(\?\))+/g, '(?), …')
  return shape.trim().replace(/;$/, '').trim().toLowerCase().slice(0, longest)
}
