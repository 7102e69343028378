import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>
const wanted = Object.keys({ ...dependencies, ...devDependencies }).toSorted()

test('every dependency has a line that says why, and every line its dependency', () => {
  const rows = read('docs/dependencies.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name as string),
  )
  assert.deepEqual(named.toSorted(), wanted)
})

test('every version is exact', () => {
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
    assert.match(version, /^(?:npm:[^@]+@)?\d+\.\d+\.\d+$/, name)
})

test('no package that is locked has an install script, but those for other systems', () => {
  const packages = (
    JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { hasInstallScript?: boolean; optional?: boolean }>
    }
  ).packages
  const scripted = Object.entries(packages).filter(
    ([, { hasInstallScript, optional }]) => hasInstallScript === true && optional !== true,
  )
  assert.deepEqual(
    scripted.map(([path]) => path),
    [],
  )
})
