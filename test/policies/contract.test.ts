import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { areas } from '../../src/app/areas.ts'
import { routesOf } from '../../src/surfaces/routes.ts'
import { contract, deviations, keyOf } from './contract.ts'
import { contractDeviations } from './exceptions.ts'

/** How many endpoints of the contract are declared at least: raise it with each new one. */
const declaredSoFar = 72

const routes = routesOf(areas.map((area) => ({ area, context: {} })))
const found = deviations(contract, routes)

describe('the contract', () => {
  it('has 507 endpoints, each once', () => {
    assert.equal(contract.length, 507)
    assert.equal(new Set(contract.map(({ method, path }) => keyOf(method, path))).size, 507)
  })

  it('is kept by every endpoint that is declared, but for the deviations that a decision asks for', () => {
    assert.deepEqual(
      found.filter((line) => !(line in contractDeviations)),
      [],
    )
  })

  it('has no deviation in the list that is none, or without the number of its decision', () => {
    assert.deepEqual(
      Object.entries(contractDeviations).filter(
        ([line, reason]) => !found.includes(line) || !/^D\d\.\d+: ./.test(reason),
      ),
      [],
    )
  })

  it('is declared as far as it was, and further', () => {
    const declared = new Set(routes.map(({ endpoint, path }) => keyOf(endpoint.method, path)))
    const count = contract.filter(({ method, path }) => declared.has(keyOf(method, path))).length
    assert.ok(count >= declaredSoFar, `only ${count} are left`)
  })
})
