import { definitions } from './definitions.ts'
import { literalsOf, mapLiterals } from './toml-text.ts'

const bullets = '"••••••••"'
const secrets: ReadonlySet<string> = new Set(
  definitions.filter((each) => 'isSecret' in each).map(({ name }) => name),
)
/** Names of secrets in comments and in tables, whose values no setting describes. */
const secretLine = /^([ \t]*(?:#[ \t]*)?[\w.'"-]*(?:pass|secret|token|key)[\w.'"-]*[ \t]*=).*$/gim

/** Returns the text of a settings file without secrets; those that differ from a former text are marked. */
export function masked(text: string, former?: string): string {
  const before = literalsOf(former ?? text, [...secrets])
  const now = literalsOf(text, [...secrets])
  const isNew = (name: string) => now[name] !== before[name]
  const hidden = mapLiterals(text, (name, literal) => {
    if (name === undefined || !secrets.has(name)) return literal
    return isNew(name) ? '"•••••••• (new)"' : bullets
  })
  return hidden.replaceAll(secretLine, (line, head: string) =>
    line.includes('••••') || /^(?:license|update)_public_key/.test(line) ? line : `${head} ${bullets}`,
  )
}
