import { NotSql } from '../../sql-import/problems.ts'
import { sniffedBytes } from '../../sql-import/packing.ts'
import { withoutComments } from './rules.ts'

const refused: readonly (readonly [RegExp, string])[] = [
  [/^\xfe\xff|^\xff\xfe|^(?:\0[^\0]){2}|^(?:[^\0]\0){2}/, 'UTF-16: save it as UTF-8'],
  [/^\s*<(?:!doctype|html|\?xml|head|body|script|!--)/i, 'HTML or XML, not SQL'],
  [/^PGDMP|PostgreSQL database (?:cluster )?dump/, 'a dump of PostgreSQL'],
  [/^SQLite format 3\0|^PRAGMA foreign_keys/im, 'a dump of SQLite'],
  [/^SET (?:ANSI_NULLS|QUOTED_IDENTIFIER) (?:ON|OFF)|^USE \[/im, 'a dump of Microsoft SQL Server'],
  [/^(?:\x6d\xe2\x99\x81)/, 'an archive of mongodump'],
  [/^\xfd7zXZ|^BZh[1-9]|^7z\xbc\xaf|^\x28\xb5\x2f\xfd|^Rar!/, 'packed in a way other than gzip and zip'],
]

/** Refuses text that is not SQL of MariaDB or MySQL by its beginning; returns it without a byte order mark. */
export function checkedStart(start: Buffer): Buffer {
  const text = start.toString('latin1', 0, sniffedBytes)
  if (start.length === 0) throw NotSql('file: it is empty')
  const [, what] = refused.find(([pattern]) => pattern.test(text)) ?? []
  if (what !== undefined) throw NotSql(`file: it is ${what}`)
  return text.startsWith('\xef\xbb\xbf') ? start.subarray(3) : start
}

const keywords = new Set(
  `alter analyze begin call change check checksum commit create deallocate delete desc describe do drop
  execute explain flush grant handler insert install kill load lock optimize prepare purge rename repair
  replace reset revoke rollback savepoint select set show shutdown start stop table truncate uninstall unlock
  update use values with xa`.split(/\s+/),
)

/** Refuses a first statement that begins with no keyword of SQL. */
export function assertIsSql(statement: string): void {
  const text = withoutComments(statement).replace(/^[\s(]+/, '')
  const [word = ''] = /^[a-z]+/i.exec(text) ?? []
  if (keywords.has(word.toLowerCase())) return
  const shown = text.slice(0, 40).replaceAll(/[^\x20-\x7e]+/g, ' ')
  throw NotSql(`file: it is not SQL: it begins with "${shown}"`)
}
