import type { Dialect, Verdict } from '../../sql-import/filter.ts'
import { sniffedBytes } from '../../sql-import/packing.ts'
import { NotSql, StatementRefused } from '../../sql-import/problems.ts'
import { PostgresSplitter } from './splitter.ts'

const name = '(?:"(?:[^"]|"")*"|[\\w$]+)'
const ofDatabase = new RegExp(`^(create|alter|drop)\\s+database\\s+(?:if\\s+exists\\s+)?(${name})`, 'i')

/** What depends on the server that a dump is from: its roles, its settings, and where a transaction ends. */
const leftOut: readonly RegExp[] = [
  /^alter\s[^]*\sowner\s+to\s/i,
  /^(?:grant|revoke)\s/i,
  /^alter\s+default\s+privileges\s/i,
  /^comment\s+on\s+extension\s/i,
  /^create\s+extension\s+if\s+not\s+exists\s+"?plpgsql\b/i,
  /^comment\s+on\s+schema\s+"?public\b/i,
  /^create\s+schema\s+"?public"?\s*;/i,
  /^set\s+(?:session\s+|local\s+)?(?:session\s+authorization|role)\b/i,
  /^reset\s+(?:session\s+authorization|role|all)\b/i,
  /^set\s+(?:session\s+)?(?:transaction_timeout|default_tablespace|default_with_oids)\b/i,
  /^(?:begin|start\s+transaction|commit|end|rollback|abort)\s*(?:work|transaction|;|$)/i,
  /^prepare\s+transaction\b/i,
]

/** Decides on a statement by its beginning. The rights of the importing role are what confines it. */
function verdictOn(statement: string, database: string): Verdict {
  const text = withoutComments(statement).trimStart()
  const [, verb = '', named] = ofDatabase.exec(text) ?? []
  if (named !== undefined) {
    const other = unquoted(named)
    if (verb.toLowerCase() !== 'drop' || other === database) return 'drop' // it is imported into the existing one
    throw StatementRefused(
      `DROP DATABASE ${other}: it is not the database of the import, which is ${database}`,
    )
  }
  return leftOut.some((pattern) => pattern.test(text)) ? 'drop' : 'pass'
}

const withoutComments = (text: string): string => text.replace(/^(?:\s+|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)+/, '')

const unquoted = (text: string): string =>
  text.startsWith('"') ? text.slice(1, -1).replaceAll('""', '"') : text.toLowerCase()

const keywords = new Set(
  `alter analyze begin call checkpoint close cluster comment commit copy create deallocate declare delete
  discard do drop end execute explain fetch grant import insert listen lock merge move notify prepare reassign
  refresh reindex release reset revoke rollback savepoint security select set show start table truncate update
  vacuum values with abort`.split(/\s+/),
)

function assertIsSql(statement: string): void {
  const text = withoutComments(statement).replace(/^[\s(]+/, '')
  const [word = ''] = /^[a-z]+/i.exec(text) ?? []
  if (keywords.has(word.toLowerCase())) return
  const shown = text.slice(0, 40).replaceAll(/[^\x20-\x7e]+/g, ' ')
  throw NotSql(`file: it is not SQL: it begins with "${shown}"`)
}

/** SQL of PostgreSQL, for one database. */
export function dialectOf(database: string): Dialect & { readonly splitter: PostgresSplitter } {
  return {
    splitter: new PostgresSplitter(),
    assertIsSql,
    verdictOn: (statement) => verdictOn(statement, database),
  }
}

const refused: readonly (readonly [RegExp, string])[] = [
  [/^\xfe\xff|^\xff\xfe|^(?:\0[^\0]){2}|^(?:[^\0]\0){2}/, 'UTF-16: save it as UTF-8'],
  [/^\s*<(?:!doctype|html|\?xml|head|body|script|!--)/i, 'HTML or XML, not SQL'],
  [/^PGDMP/, 'an archive of pg_dump: make a plain dump with pg_dump --format=plain'],
  [/PostgreSQL database cluster dump/, 'a dump of a whole server by pg_dumpall: make one with pg_dump'],
  [
    /^-- (?:MySQL|MariaDB) dump|^\/\*M?!\d+|^-- phpMyAdmin SQL Dump|ENGINE=InnoDB/m,
    'a dump of MariaDB or MySQL',
  ],
  [/^SQLite format 3\0|^PRAGMA foreign_keys/im, 'a dump of SQLite'],
  [/^SET (?:ANSI_NULLS|QUOTED_IDENTIFIER) (?:ON|OFF)|^USE \[/im, 'a dump of Microsoft SQL Server'],
  [/^(?:\x6d\xe2\x99\x81)/, 'an archive of mongodump'],
  [/^\xfd7zXZ|^BZh[1-9]|^7z\xbc\xaf|^\x28\xb5\x2f\xfd|^Rar!/, 'packed in a way other than gzip and zip'],
]

/** Refuses text that is not SQL of PostgreSQL by its beginning; returns it without a byte order mark. */
export function checkedStart(start: Buffer): Buffer {
  const text = start.toString('latin1', 0, sniffedBytes)
  if (start.length === 0) throw NotSql('file: it is empty')
  const [, what] = refused.find(([pattern]) => pattern.test(text)) ?? []
  if (what !== undefined) throw NotSql(`file: it is ${what}`)
  return text.startsWith('\xef\xbb\xbf') ? start.subarray(3) : start
}
