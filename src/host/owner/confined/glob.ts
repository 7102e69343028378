type Token =
  | { readonly kind: 'star' }
  | { readonly kind: 'one'; readonly matches: (character: string) => boolean }

/** Returns true if a whole name matches a pattern of *, ? and [a-z]; the time is proportional to the product of both lengths, whatever the pattern. */
export function globMatcher(pattern: string): (name: string) => boolean {
  const tokens = tokensOf([...pattern])
  return (name) => matches(tokens, [...name])
}

function tokensOf(characters: readonly string[]): readonly Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '*') {
      tokens.push({ kind: 'star' })
      continue
    }
    const end =
      character === '[' ? characters.indexOf(']', at + (/[!^]/.test(characters[at + 1] ?? '') ? 3 : 2)) : -1
    if (end > 0) {
      tokens.push({ kind: 'one', matches: setOf(characters.slice(at + 1, end)) })
      at = end
    } else
      tokens.push({ kind: 'one', matches: character === '?' ? () => true : (other) => other === character })
  }
  return tokens
}

function setOf(inside: readonly string[]): (character: string) => boolean {
  const isNegated = inside[0] === '!' || inside[0] === '^'
  const members = isNegated ? inside.slice(1) : inside
  return (character) => {
    for (let at = 0; at < members.length; at++) {
      const [from = '', dash, to] = members.slice(at, at + 3)
      const isRange = dash === '-' && to !== undefined
      if (isRange ? character >= from && character <= to : character === from) return !isNegated
      if (isRange) at += 2
    }
    return isNegated
  }
}

// If a token fails, the last star consumes one more character; earlier stars need not be retried.
function matches(tokens: readonly Token[], name: readonly string[]): boolean {
  let [token, at, star, from] = [0, 0, -1, 0]
  while (at < name.length) {
    const now = tokens[token]
    if (now?.kind === 'star') [star, from, token] = [token, at, token + 1]
    else if (now?.matches(name[at] ?? '') === true) [token, at] = [token + 1, at + 1]
    else if (star >= 0) [token, from, at] = [star + 1, from + 1, from + 1]
    else return false
  }
  return tokens.slice(token).every(({ kind }) => kind === 'star')
}
