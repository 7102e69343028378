import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { areas } from '../../src/app/areas.ts'
import type { Area } from '../../src/core/area.ts'
import { untestedCodes } from './exceptions.ts'
import { root } from './sources.ts'

const textOf = (pattern: string) =>
  globSync(pattern, { cwd: root })
    .map((file) => readFileSync(`${root}${file}`, 'utf8'))
    .join('\n')
const onHosts = textOf('test/hosts/**/*.ts')

/** The codes that an area declares and that no test of it names. Without codes in its bodies, an area has nothing to name. */
function unnamed({ name, endpoints, errors }: Area<any, any>, tests: string): readonly string[] {
  if (errors !== 'coded') return []
  const codes = new Set(Object.values(endpoints).flatMap(({ throws = {} }) => Object.keys(throws)))
  return [...codes]
    .filter((code) => !new RegExp(`\\b${code}\\b`).test(tests))
    .map((code) => `${name}: ${code}`)
}

describe('a declared failure', () => {
  /** Contributions to an area's points are tested by the areas that make them. */
  const contributors = (area: Area<any, any>) =>
    (area.points ?? []).length === 0
      ? []
      : areas.filter(({ uses = [], contributes }) => contributes && uses.includes(area))
  const testsOf = (area: Area<any, any>) =>
    [area, ...(area.uses ?? []), ...contributors(area)]
      .map(({ name }) => textOf(`src/areas/${name}/**/*.test.ts`))
      .join('\n')
  const found = areas.flatMap((area) => unnamed(area, testsOf(area) + onHosts))

  it('is asserted by a test of its area, or is a known gap', () => {
    assert.deepEqual(
      found.filter((line) => !(line in untestedCodes)),
      [],
    )
    assert.deepEqual(
      Object.keys(untestedCodes).filter((line) => !found.includes(line)),
      [],
    )
  })

  it('is missed where its code is named by no test', () => {
    const users = areas.filter(({ name }) => name === 'users')
    assert.ok(users.flatMap((area) => unnamed(area, '')).includes('users: db_error'))
    const codes = users.flatMap(({ endpoints }) => Object.values(endpoints))
    const named = codes.flatMap(({ throws = {} }) => Object.keys(throws)).join(' ')
    assert.deepEqual(
      users.flatMap((area) => unnamed(area, named)),
      [],
    )
  })
})
