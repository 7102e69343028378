import type { Manifest } from './manifest-model.ts'
import { ManifestInvalid } from './problems.ts'

/** Open collections of the parser; each level of a manifest opens one or two. */
const mostOpen = 100

/** Reads YAML, of which JSON is a part, as plain values. Anchors, tags and duplicate keys are refused. */
export async function readText(text: string): Promise<unknown> {
  const { isAlias, isNode, Lexer, parseDocument, Parser, visit } = await import('yaml')
  const parser = new Parser()
  // the parser itself does not recurse; what follows does
  for (const lexeme of new Lexer().lex(text)) {
    for (const _token of parser.next(lexeme));
    if (parser.stack.length > mostOpen) throw ManifestInvalid('text: is nested too deeply')
  }
  const document = parseDocument(text, { schema: 'core', version: '1.2', merge: false, uniqueKeys: true })
  const [wrong] = [...document.errors, ...document.warnings]
  if (wrong !== undefined) throw ManifestInvalid(`text: ${firstLine(wrong.message)}`)
  visit(document, (_key, node) => {
    if (isAlias(node) || (isNode(node) && (node.anchor !== undefined || isTagged(node.tag))))
      throw ManifestInvalid('text: anchors, aliases and tags are not supported')
  })
  const value: unknown = document.toJS({ maxAliasCount: 0 })
  return value
}

/** Plain values have the tags of the core schema. */
const isTagged = (tag: string | undefined): boolean =>
  tag !== undefined && !/^tag:yaml\.org,2002:(?:map|seq|str|int|float|bool|null)$/.test(tag)

/** The message of the parser is followed by the lines that it is about. */
const firstLine = (message: string): string => (message.split('\n')[0] ?? '').replace(/:$/, '').slice(0, 500)

/** Writes a manifest as YAML, or as JSON. */
export async function writeText(manifest: Manifest, format: 'yaml' | 'json'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(manifest, null, 2)}\n`
  const { stringify } = await import('yaml')
  return stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false, version: '1.2' })
}
