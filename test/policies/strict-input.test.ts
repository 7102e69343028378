import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TSchema } from 'typebox'
import Type from 'typebox'
import { declaredRoutes } from '../../scripts/generated.ts'
import { binder, textBinder } from '../../src/core/bind.ts'
import type { Route } from '../../src/surfaces/routes.ts'

type Field = readonly [at: string, name: string, schema: TSchema & Keywords]

interface Keywords {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly (TSchema & Keywords)[]
}

/** One value of each type of JSON; a string that reads like a number or a boolean is a string. */
const values = [null, true, 1, 1.5, '1', 'true', [], {}] as const

const typesOf = ({ type, enum: options, const: only, anyOf }: Keywords): readonly string[] => {
  if (anyOf) return anyOf.flatMap(typesOf)
  if (type !== undefined) return [type]
  return (options ?? [only]).map((value) => (value === null ? 'null' : typeof value))
}

function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

const fieldsOf = (part: (route: Route) => unknown): readonly Field[] =>
  declaredRoutes().flatMap((route) => {
    const { properties = {} } = (part(route) ?? {}) as { properties?: Record<string, TSchema & Keywords> }
    return Object.entries(properties).map(([name, schema]): Field => [
      `${route.endpoint.method} ${route.path} ${name}`,
      name,
      schema,
    ])
  })

describe('every declared input', () => {
  it('takes no value of another type in a JSON body, and names the field', () => {
    // JSON-RPC has codes of its own for a wrong type
    const fields = fieldsOf(({ endpoint: { body, reply } }) =>
      reply.kind === 'rpc' || (body && 'kind' in body) ? undefined : body,
    )
    assert.ok(fields.length > 200)
    for (const [at, name, schema] of fields) {
      const bind = binder(Type.Object({ [name]: schema }), 'body')
      const types = typesOf(schema)
      for (const value of values.filter((each) => !types.some((type) => isOfType(type, each)))) {
        const { issue } = bind({ [name]: value })
        assert.ok(issue?.startsWith(`${name}: `), `${at} takes ${JSON.stringify(value)}`)
      }
    }
  })

  it('takes no query parameter twice unless it is a list, and names it', () => {
    const fields = fieldsOf(({ endpoint: { query } }) => query)
    assert.ok(fields.length > 50)
    for (const [at, name, schema] of fields.filter(([, , { type }]) => type !== 'array')) {
      const { issue } = textBinder(Type.Object({ [name]: schema }), 'query')({ [name]: ['1', '1'] })
      assert.ok(issue?.startsWith(`${name}: `), `${at} is taken twice`)
    }
  })

  it('takes a body that does not bind for an empty one only where the contract does (decision 1.4)', () => {
    const lenient = declaredRoutes().filter(({ endpoint }) => endpoint.isLenient === true)
    assert.deepEqual(lenient.map(({ endpoint, path }) => `${endpoint.method} ${path}`).toSorted(), [
      'POST /api/notifications/delete',
      'POST /api/notifications/mark-read',
      'POST /api/sqldb/install',
    ])
  })
})
