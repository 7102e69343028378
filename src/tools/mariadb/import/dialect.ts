import type { Dialect } from '../../sql-import/filter.ts'
import { assertIsSql } from './content.ts'
import { verdictOn } from './rules.ts'
import { StatementSplitter } from './statements.ts'

/** SQL of MariaDB and MySQL, for one database. */
export const dialectOf = (database: string): Dialect => ({
  splitter: new StatementSplitter(),
  assertIsSql,
  verdictOn: (statement) => verdictOn(statement, database),
})
