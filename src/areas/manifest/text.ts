import { setImmediate } from 'node:timers/promises'
import type { CST, LineCounter } from 'yaml'
import type { Problem } from '../../core/problem.ts'
import { ManifestInvalid, ManifestTooLarge } from './problems.ts'

/** Open collections of the parser; each level of a manifest opens one or two. */
const mostOpen = 100
/** Lexemes besides blanks: 1 MiB of record sets has some 300,000, and half a second is needed for what they compose. */
const mostParts = 400_000
/** Lexemes that are read before other requests have their turn. */
const lexemesPerTurn = 5000

/** Reads YAML, of which JSON is a part, as plain values. Anchors, tags, directives and duplicate keys are refused. */
export async function readText(text: string): Promise<unknown> {
  const { Composer, isMap, isScalar, LineCounter, visit } = await import('yaml')
  const lines = new LineCounter()
  const tokens = await parse(text, lines)
  // the composer would compare each key with all others
  const composer = new Composer({ schema: 'core', version: '1.2', merge: false, uniqueKeys: false })
  // it would go on after a mistake, and there may be one at each character; on its way it reports what is thrown again
  let mistake: Problem | undefined
  Object.assign(composer, {
    onError: (source: ErrorSource, _code: string, message: string) => {
      mistake ??= invalid(message, lines, source)
      throw mistake
    },
  })
  const [document] = composer.compose(tokens, true, text.length)
  if (document === undefined || !isMap(document.contents)) return null
  visit(document, {
    Map: (_key, { items }) => {
      const names = new Set<string>()
      for (const { key } of items) {
        if (!isScalar(key)) throw ManifestInvalid('text: the keys of a mapping must be names')
        const name = String(key.value)
        if (names.has(name)) throw invalid('Map keys must be unique', lines, key.range?.[0] ?? 0)
        names.add(name)
      }
    },
  })
  const value: unknown = document.toJS({ maxAliasCount: 0 })
  return value
}

/** Parses a text as one document. The parser itself does not recurse; what follows does. */
async function parse(text: string, lines: LineCounter): Promise<readonly CST.Token[]> {
  const { CST: lexical, Lexer, Parser } = await import('yaml')
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const tokens: CST.Token[] = []
  let count = 0
  let parts = 0
  let isScalar = false
  for (const lexeme of new Lexer().lex(text)) {
    const type = isScalar ? 'scalar' : (lexical.tokenType(lexeme) ?? 'scalar')
    if (unsupported.has(type)) throw Unsupported()
    isScalar = lexeme === lexical.SCALAR
    if (!blanks.has(type)) parts += 1
    if (parts > mostParts)
      throw ManifestTooLarge(`text: has more than ${mostParts} words and signs: use several manifests`)
    for (const token of parser.next(lexeme)) tokens.push(assertOne(token, tokens, lines))
    if (parser.stack.length > mostOpen) throw ManifestInvalid('text: is nested too deeply')
    count += 1
    if (count % lexemesPerTurn === 0) await setImmediate()
  }
  for (const token of parser.end()) tokens.push(assertOne(token, tokens, lines))
  return tokens
}

const blanks = new Set(['space', 'newline', 'comment'])
const unsupported = new Set(['anchor', 'alias', 'tag', 'directive-line'])
const Unsupported = () => ManifestInvalid('text: anchors, aliases, tags and directives are not supported')

function assertOne(token: CST.Token, former: readonly CST.Token[], lines: LineCounter): CST.Token {
  // the rest of the message quotes the text
  if (token.type === 'error') throw invalid(token.message.split(':')[0] ?? '', lines, token)
  if (token.type === 'document' && former.some(({ type }) => type === 'document'))
    throw ManifestInvalid('text: contains multiple documents')
  return token
}

type ErrorSource = number | readonly number[] | { readonly offset: number }

function invalid(message: string, lines: LineCounter, source: ErrorSource): Problem {
  const offset = typeof source === 'number' ? source : 'offset' in source ? source.offset : (source[0] ?? 0)
  const { line, col } = lines.linePos(offset)
  return ManifestInvalid(`text: ${message.slice(0, 500)} at line ${line}, column ${col}`)
}

/** Writes a manifest as YAML, or as JSON. */
export async function writeText(manifest: object, format: 'yaml' | 'json'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(manifest, null, 2)}\n`
  const { stringify } = await import('yaml')
  return `${caution}${stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false, version: '1.2' })}`
}

const caution =
  '# Passwords are left out, but directives, settings of PHP and TXT records may contain secrets.\n'
