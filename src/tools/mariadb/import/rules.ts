import type { Verdict } from '../../sql-import/filter.ts'
import { StatementRefused } from '../../sql-import/problems.ts'

const name = '(?:`(?:[^`]|``)*`|\'[^\']*\'|"[^"]*"|[\\w$.%-]+)'
const account = `(?:current_(?:user|role)(?:\\s*\\(\\s*\\))?|${name}(?:\\s*@\\s*${name})?)`
const definer = new RegExp(
  `^(?:create|alter)\\s+(?:or\\s+replace\\s+)?(?:algorithm\\s*=\\s*\\w+\\s+)?(definer\\s*=\\s*${account})`,
  'id',
)
const ofDatabase = new RegExp(
  `^(create|drop)\\s+(?:or\\s+replace\\s+)?(?:database|schema)\\s+(?:if\\s+(?:not\\s+)?exists\\s+)?(${name})`,
  'i',
)
const use = new RegExp(`^use\\s+(${name})`, 'i')
const serverWide = /\b(?:global|persist|persist_only)\b|@@global\b|\bsql_log_bin\b|\bgtid_\w+/i

/**
 * Decides on a statement by its beginning (latin1). `DEFINER` clauses are left out: what the statement makes
 * belongs to the account that imports. The server itself enforces what that account may do.
 */
export function verdictOn(statement: string, database: string): Verdict {
  const plain = withoutComments(statement)
  const text = plain.trimStart()
  const offset = plain.length - text.length
  const [, used] = use.exec(text) ?? []
  if (used !== undefined) return useOf(unquoted(used), database)
  const [, verb, named] = ofDatabase.exec(text) ?? []
  if (verb !== undefined && named !== undefined) return databaseOf(verb, unquoted(named), database)
  if (/^set\b/i.test(text)) return serverWide.test(withoutStrings(text)) ? 'drop' : 'pass'
  const [start, end] = definer.exec(text)?.indices?.[1] ?? []
  if (start === undefined || end === undefined) return 'pass'
  const clause = statement.slice(offset + start, offset + end)
  return {
    text: `${statement.slice(0, offset + start)}${blank(clause)}${statement.slice(offset + end)}`,
  }
}

function useOf(used: string, database: string): Verdict {
  if (used === database) return 'pass'
  throw StatementRefused(
    `USE ${used}: the dump is of another database, and is imported into ${database} only without that statement`,
  )
}

// Where the database itself is made or removed, the dump is imported into the existing one.
function databaseOf(verb: string, named: string, database: string): Verdict {
  if (verb.toLowerCase() === 'create' || named === database) return 'drop'
  throw StatementRefused(`DROP DATABASE ${named}: it is not the database of the import, which is ${database}`)
}

/** Replaces comments, and the marks of those that the server executes, by as many spaces. No server executes that of version 999999, with which dumps begin. */
export function withoutComments(text: string): string {
  return text.replaceAll(
    /\/\*M?!999999[^]*?\*\/|\/\*M?!\d*|\*\/|\/\*(?!M?!)[^]*?(?:\*\/|$)|(?<=^|[\s;])--(?:\s[^\n]*|$)|#[^\n]*/g,
    blank,
  )
}

const withoutStrings = (text: string): string =>
  text.replaceAll(/'(?:[^'\\]|\\[^]|'')*'|"(?:[^"\\]|\\[^]|"")*"|`[^`]*`/g, "''")

/** Spaces, with the line breaks where they were, so that the server's messages name the lines of the file. */
const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ')

const unquoted = (text: string): string =>
  /^[`'"]/.test(text) ? text.slice(1, -1).replaceAll('``', '`') : text
