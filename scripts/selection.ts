import { globSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Budget } from '../test/budgets.ts'
import { isGate } from '../test/runner/is-gate.ts'
import { checkout } from '../test/runner/test-process.ts'
import {
  isPartSelected,
  type OptionalPart,
  type Reason,
  selectAreas,
  selectFiles,
  selectSuites,
} from '../test/selection.ts'
import { readChangedTree } from './changed-files.ts'
import { mutations } from './mutations.ts'

/** The suites of a kind that this run carries out, with their reasons: in the gate those that the change selects, else all. */
export function selectionOf(kind: keyof Budget, names: readonly string[]): ReadonlyMap<string, Reason> {
  return isGate()
    ? selectSuites(kind, names, readChangedTree(checkout))
    : new Map(names.map((name) => [name, 'all']))
}

/** True if a part of the gate must run for this change. */
export function isSelected(part: OptionalPart): boolean {
  const mutated = mutations.flatMap(({ file, tests }) => [file, ...tests])
  return !isGate() || isPartSelected(part, readChangedTree(checkout), mutated)
}

/** The test files in homes, or with real programs, that this run carries out: in the gate those that the change selects, else all. */
export const selectedFiles = (files: readonly string[]): readonly string[] =>
  isGate() ? selectFiles(files, readChangedTree(checkout)) : files

/** The areas whose operations the schema tests try: in the gate those that the change selects; undefined for all. */
export function selectedAreas(): readonly string[] | undefined {
  const names = globSync('*/index.ts', { cwd: `${checkout}src/areas` }).map(dirname)
  const selected = isGate() ? selectAreas(names, readChangedTree(checkout)) : undefined
  // the operations of users succeed, so that no run lacks a success
  return selected && [...new Set([...selected, 'users'])].toSorted()
}

/** The lines that say which suites and parts run, and why. */
export function describeSelection(): string {
  const kinds = (['hosts', 'browser'] as const).map((kind) => {
    const names = suitesOf(kind)
    const selected = [...selectionOf(kind, names)]
    const rows = selected.map(([name, reason]) => `  ${name.padEnd(24)}${reason}`)
    return [`${kind}: ${selected.length} of ${names.length} suites`, ...rows].join('\n')
  })
  const parts = (['generators', 'mutate'] as const).map(
    (part) => `${part}: ${isSelected(part) ? 'its inputs changed' : 'left out, its inputs did not change'}`,
  )
  return [...kinds, ...parts].join('\n')
}

/** The names of the suites of a kind. */
export function suitesOf(kind: keyof Budget): readonly string[] {
  return globSync(`test/${kind}/*.test.ts`, { cwd: checkout }).map((file) => basename(file, '.test.ts'))
}
