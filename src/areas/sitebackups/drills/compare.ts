import type { Listed } from '../../../tools/tar/index.ts'
import type { TableCount } from '../../../tools/mariadb/index.ts'
import type { Manifest, Part } from '../manifest.ts'
import type { DrillCheck } from './model.ts'

type Counted = Pick<Listed, 'entries' | 'bytes'>

/** Compares restored files with what the manifest counted. What was changed while it was packed has no exact count. */
export function compareFiles(
  { files, complete }: Pick<Manifest, 'files' | 'complete'>,
  found: Counted,
): readonly DrillCheck[] {
  if (files === null) return []
  const isExact = complete && files.changed === 0
  const check = (subject: string, expected: number, actual: number): DrillCheck => ({
    subject,
    expected: isExact ? String(expected) : `about ${expected}, as ${reasonOf({ complete })}`,
    found: String(actual),
    passed: isExact ? actual === expected : actual > 0 || expected === 0,
  })
  return [
    check('Files and folders', files.entries, found.entries),
    check('Bytes of files', files.bytes, found.bytes),
  ]
}

const reasonOf = ({ complete }: Pick<Manifest, 'complete'>): string =>
  complete ? 'files were changed while they were backed up' : 'the backup is incomplete'

const mostNamed = 10

/** Compares the tables of a restored database with those that the server had. */
export function compareTables(
  { database = '', tables }: Pick<Part, 'database' | 'tables'>,
  found: readonly TableCount[],
): DrillCheck {
  const subject = `Tables of ${database}`
  const counts = new Map(found.map(({ name, rows }) => [name, rows]))
  const summary = `${found.length} tables`
  if (tables === undefined) return { subject, expected: 'not recorded', found: summary, passed: true }
  const missing = tables.filter(({ name }) => !counts.has(name)).map(({ name }) => name)
  const differing = tables.flatMap(({ name, rows }) => {
    const actual = counts.get(name)
    if (rows === null || actual === undefined || actual === rows) return []
    return [`${name} with ${actual ?? 'uncounted'} rows instead of ${rows}`]
  })
  const counted = tables.filter(({ rows }) => rows !== null)
  const rows = counted.reduce((sum, each) => sum + (each.rows ?? 0), 0)
  return {
    subject,
    expected: `${tables.length} tables; ${counted.length} of them with ${rows} rows`,
    found: [
      summary,
      ...(missing.length === 0 ? [] : [`missing: ${named(missing)}`]),
      ...(differing.length === 0 ? [] : [named(differing)]),
    ].join('; '),
    passed: missing.length + differing.length === 0,
  }
}

const named = (names: readonly string[]): string =>
  [
    ...names.slice(0, mostNamed),
    ...(names.length > mostNamed ? [`${names.length - mostNamed} more`] : []),
  ].join(', ')

/** Returns the first finding in one sentence; empty if every comparison passed. */
export function findingOf(checks: readonly DrillCheck[]): string {
  const failed = checks.find(({ passed }) => !passed)
  return failed === undefined
    ? ''
    : `${failed.subject}: expected ${failed.expected}, found ${failed.found}`.slice(0, 4000)
}
