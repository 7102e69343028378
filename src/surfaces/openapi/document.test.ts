import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openSample } from '../http/testing/sample.ts'
import { openApiDocument } from './document.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly tags: readonly string[]
  readonly parameters: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly schema: Record<string, unknown>
  }[]
  readonly requestBody?: { readonly content: Record<string, unknown> }
  readonly responses: Record<
    string,
    { readonly description: string; readonly content?: Record<string, { readonly schema: unknown }> }
  >
  readonly security?: readonly unknown[]
  readonly 'x-guard': string
}
interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly tags: readonly { readonly name: string }[]
}

let sample: Awaited<ReturnType<typeof openSample>>
let document: Document
before(async () => {
  sample = await openSample()
  document = JSON.parse(JSON.stringify(openApiDocument(sample.routes, '1.2.3'))) as Document
})
after(async () => {
  await sample.http.stop(10)
  await sample.store.close()
})

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
const operation = (method: string, path: string) => document.paths[path]?.[method] as Operation

describe('the OpenAPI document', () => {
  it('has what OpenAPI 3.1 requires of a document', () => {
    assert.equal(document.openapi, '3.1.0')
    assert.deepEqual([document.info.title, document.info.version], ['Hostreeve', '1.2.3'])
    assert.equal(operations().length, sample.routes.length)
  })

  it('has what OpenAPI 3.1 requires of each operation', () => {
    for (const { path, operation: each } of operations()) {
      assert.ok(
        Object.keys(each.responses).some((status) => /^[123]/.test(status)),
        path,
      )
      for (const { description } of Object.values(each.responses)) assert.ok(description)
      for (const { name, in: place, required, schema } of each.parameters)
        assert.ok(
          name && ['path', 'query', 'header'].includes(place) && (place !== 'path' || required) && schema,
          `${path} ${name}`,
        )
      const names = each.parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
      assert.equal(new Set(names).size, names.length, path)
    }
  })

  it('declares every parameter that a path holds, and no other', () => {
    for (const { path, operation: each } of operations()) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      assert.deepEqual(
        each.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
        wanted,
        path,
      )
    }
  })

  it('gives each operation its own id and a tag that is listed', () => {
    const ids = operations().map(({ operation: each }) => each.operationId)
    assert.equal(new Set(ids).size, ids.length)
    const tags = new Set(document.tags.map(({ name }) => name))
    for (const { operation: each } of operations()) assert.ok(each.tags.every((tag) => tags.has(tag)))
  })

  it('tells guard, plan, list parameters, uploads, streams and failures', () => {
    assert.equal(operation('get', '/api/boxes/super')['x-guard'], 'SU')
    assert.equal(operation('get', '/api/plugged')['x-guard'], 'PERM(websites_management)+PLUGIN(uptime)')
    assert.deepEqual(operation('get', '/api/boxes/open').security, [])
    assert.ok(operation('post', '/api/boxes').parameters.some(({ name }) => name === 'plan'))
    assert.deepEqual(
      operation('get', '/api/boxes').parameters.map(({ name }) => name),
      ['page', 'per_page', 'sort', 'search'],
    )
    assert.deepEqual(Object.keys(operation('post', '/api/boxes/upload').requestBody?.content ?? {}), [
      'multipart/form-data',
      'application/octet-stream',
    ])
    assert.ok(operation('get', '/api/boxes/events').responses['200']?.content?.['text/event-stream'])
    const { parameters, responses } = operation('get', '/api/boxes/file')
    assert.deepEqual(
      [parameters.map(({ name }) => name), Object.keys(responses)],
      [
        ['Range', 'If-Range', 'If-None-Match'],
        ['200', '206', '304', '401', '403', '416'],
      ],
    )
    assert.match(
      operation('post', '/api/boxes').responses['409']?.description ?? '',
      /^taken: The label is taken/,
    )
  })

  it('marks secrets as written only, where they are not revealed', () => {
    const body = JSON.stringify(operation('post', '/api/boxes').requestBody)
    assert.match(body, /"password":\{[^}]*"writeOnly":true/)
  })
})
