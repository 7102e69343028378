import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { areas } from '../../src/app/areas.ts'
import { openApiDocument } from '../../src/surfaces/openapi/document.ts'
import { routesOf } from '../../src/surfaces/routes.ts'

/** How many endpoints of the contract are declared at least: raise it with each new one. */
const declaredSoFar = 72

interface Row {
  readonly method: string
  readonly path: string
  readonly guard: string
}
interface Document {
  readonly paths: Record<string, Record<string, { readonly 'x-guard': string; readonly responses: object }>>
}

const contract = JSON.parse(
  readFileSync(new URL('./contract.json', import.meta.url), 'utf8'),
) as readonly Row[]
const document = openApiDocument(routesOf(areas.map((area) => ({ area, context: {} }))), 'test') as Document
const shapeOf = (method: string, path: string) =>
  `${method === 'ANY' ? 'POST' : method.toUpperCase()} ${path.replaceAll(/\{[^}]+\}/g, '{}')}`
const guardOf = (guard: string) =>
  guard.startsWith('AUTH+SU')
    ? guard.slice('AUTH+'.length)
    : guard.startsWith('PLUGIN')
      ? `NONE+${guard}`
      : guard
const declared = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [shapeOf(method, path), operation] as const),
  ),
)

/** What a document has wrong about the rows of the contract that it declares. */
function differences(
  rows: readonly Row[],
  operations: ReadonlyMap<string, { readonly 'x-guard': string }>,
): readonly string[] {
  return rows.flatMap(({ method, path, guard }) => {
    const operation = operations.get(shapeOf(method, path))
    return operation && operation['x-guard'] !== guardOf(guard)
      ? [`${method} ${path} has the guard ${operation['x-guard']}, the contract ${guardOf(guard)}`]
      : []
  })
}

describe('the contract', () => {
  it('has 507 endpoints, each once', () => {
    assert.equal(contract.length, 507)
    assert.equal(new Set(contract.map(({ method, path }) => shapeOf(method, path))).size, 507)
  })

  it('is kept by every endpoint that is declared: same method, path and guard', () => {
    assert.deepEqual(differences(contract, declared), [])
  })

  it('is declared as far as it was, and further', () => {
    const count = contract.filter(({ method, path }) => declared.has(shapeOf(method, path))).length
    assert.ok(count >= declaredSoFar, `only ${count} are left`)
  })

  it('is broken by a declaration with another guard', () => {
    const wrong = new Map([['GET /api/users/{}', { 'x-guard': 'AUTH' }]])
    assert.deepEqual(differences(contract, wrong), [
      'GET /api/users/{uid} has the guard AUTH, the contract PERM(booting_users_management)',
    ])
  })
})
