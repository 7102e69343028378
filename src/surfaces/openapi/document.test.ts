import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Type from 'typebox'
import { area } from '../../core/area.ts'
import { change } from '../../core/change.ts'
import { superuser } from '../../core/guard.ts'
import { created } from '../../core/reply.ts'
import { Text } from '../../core/schemas.ts'
import { openSample } from '../http/testing/sample.ts'
import { routesOf } from '../routes.ts'
import { openApiDocument, writeOpenApi } from './document.ts'

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
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
    {
      readonly description: string
      readonly headers?: Record<string, unknown>
      readonly content?: Record<string, { readonly schema: unknown }>
    }
  >
  readonly security?: readonly unknown[]
  readonly 'x-guard': string
}
interface Document {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string }
  readonly paths: Record<string, Record<string, Operation>>
  readonly tags: readonly { readonly name: string }[]
  readonly components: Readonly<Record<'schemas' | 'responses' | 'headers', Record<string, any>>>
}

const { endpoint } = area.of<object>()
const Tool = Type.Object({
  name: Text(20, { expects: 'a name' }),
  size: Type.Integer({ minimum: 1, maximum: 9, default: 1 }),
})
const shop = area({
  name: 'shop',
  title: 'Shop',
  base: '/shop',
  guard: superuser,
  errors: 'coded',
  schemas: { Tool, Copy: Type.Object({ ...Tool.properties }) },
  endpoints: {
    createTool: endpoint({
      method: 'POST',
      path: '/tools',
      summary: 'Create a tool',
      effect: 'changes',
      body: Tool,
      query: Type.Object({ count: Type.Integer({ minimum: 1, maximum: 9, default: 1 }) }),
      reply: created(Tool),
      run: ({ body }) => change({ summary: 'Create', reply: body }),
    }),
  },
  open: () => ({}),
})

const keywords = new Set([
  ...['type', 'required', 'properties', 'items', 'anyOf', 'allOf', 'enum', 'const', 'default', '$ref'],
  ...['description', 'format', 'pattern', 'minLength', 'maxLength', 'minimum', 'maximum', 'writeOnly'],
  ...[
    'contentMediaType',
    'contentSchema',
    'minItems',
    'maxItems',
    'uniqueItems',
    'additionalProperties',
    'patternProperties',
  ],
])
const isKeyword = (key: string): boolean => keywords.has(key) || key.startsWith('x-')

/** Returns every schema of a document, including nested ones. */
function schemasOf(part: any, isSchema = false): readonly Record<string, unknown>[] {
  if (Array.isArray(part)) return part.flatMap((each) => schemasOf(each, isSchema))
  if (typeof part !== 'object' || part === null) return []
  const within = Object.entries(part).flatMap(([key, value]: [string, any]) => {
    if (!isSchema)
      return key === 'schemas' ? schemasOf(Object.values(value), true) : schemasOf(value, key === 'schema')
    if (key === 'properties' || key === 'patternProperties') return schemasOf(Object.values(value), true)
    return ['items', 'anyOf', 'allOf'].includes(key) ? schemasOf(value, true) : []
  })
  return isSchema ? [part, ...within] : within
}

const jsonSchema = (part: any) => part.content['application/json'].schema

let sample: Awaited<ReturnType<typeof openSample>>
let document: Document
const tableOf = ({ routes }: typeof sample) => [...routes, ...routesOf([{ area: shop, context: {} }])]
before(async () => {
  sample = await openSample()
  document = JSON.parse(writeOpenApi(tableOf(sample), '1.2.3').toString()) as Document
})
after(async () => {
  await sample.http.stop(10)
  await sample.store.close()
})

it('is written as it is built', () => {
  const built = openApiDocument(tableOf(sample), '1.2.3')
  assert.equal(writeOpenApi(tableOf(sample), '1.2.3').toString(), JSON.stringify(built))
})

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
/** The response that a reference names. */
function resolved(response: any) {
  const name = /^#\/components\/responses\/(.+)$/.exec(response?.$ref ?? '')?.[1]
  return name === undefined ? response : document.components.responses[name]
}
const statuses = (method: string, path: string) => Object.keys(operation(method, path).responses).map(Number)
const codesOf = (method: string, path: string, status: number) =>
  [
    ...JSON.stringify(resolved(operation(method, path).responses[status])).matchAll(/"enum":\[([^\]]*)\]/g),
  ].flatMap(([, list]) => JSON.parse(`[${list}]`))
const operation = (method: string, path: string) => document.paths[path]?.[method] as Operation

describe('the OpenAPI document', () => {
  it('has what OpenAPI 3.1 requires of a document', () => {
    assert.equal(document.openapi, '3.1.0')
    assert.deepEqual([document.info.title, document.info.version], ['Hostreeve', '1.2.3'])
    assert.equal(operations().length, sample.routes.length + 1)
  })

  it('has what OpenAPI 3.1 requires of each operation', () => {
    for (const { path, operation: each } of operations()) {
      assert.ok(
        Object.keys(each.responses).some((status) => /^[123]/.test(status)),
        path,
      )
      for (const response of Object.values(each.responses)) assert.ok(resolved(response).description)
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
        ['200', '206', '304', '400', '401', '403', '408', '416', '429', '431', '500', '503'],
      ],
    )
    assert.match(
      operation('post', '/api/boxes').responses['409']?.description ?? '',
      /^taken: The label is taken/,
    )
  })

  it('declares what the gates, the input and the effect of a route answer', () => {
    const [of, all] = [statuses, [400, 408, 431, 500, 503]]
    assert.deepEqual(of('get', '/api/boxes/open'), [200, ...all])
    assert.deepEqual(of('get', '/api/boxes/{id}'), [200, ...all, 401, 403, 404, 429].toSorted())
    assert.deepEqual(of('post', '/api/boxes'), [200, 201, ...all, 401, 403, 409, 413, 429, 507].toSorted())
    assert.ok(of('patch', '/api/boxes/{id}').includes(404))
    assert.deepEqual(codesOf('get', '/api/plugged', 403), ['forbidden', 'plugin_disabled'])
    assert.ok(codesOf('post', '/api/boxes', 409).includes('edited_by_hand'))
    const { headers } = resolved(operation('get', '/api/boxes').responses['429'])
    assert.deepEqual(headers, { 'Retry-After': { $ref: '#/components/headers/Retry-After' } })
  })

  it('declares the plan of a change with 200, and the headers that name the change and its undo', () => {
    const { responses } = operation('post', '/api/boxes')
    assert.deepEqual(jsonSchema(responses['200']), { $ref: '#/components/schemas/Plan' })
    assert.ok('X-Undo-Id' in (responses['201']?.headers ?? {}))
    assert.deepEqual(jsonSchema(operation('delete', '/api/boxes/{id}').responses['200']).anyOf[1], {
      $ref: '#/components/schemas/Plan',
    })
    assert.equal(operation('get', '/api/boxes').responses['200']?.headers, undefined)
  })

  it('describes an error in the style of its area, and each event of a stream with the error that may end it', () => {
    const schemaOf = (path: string, status: number) =>
      jsonSchema(resolved(operation('get', path).responses[status]))
    assert.deepEqual(schemaOf('/api/plain/open', 500), { $ref: '#/components/schemas/FlatError' })
    assert.deepEqual(schemaOf('/api/quiet/open', 500), { $ref: '#/components/schemas/MessageError' })
    const event: any = operation('get', '/api/boxes/events').responses['200']?.content?.['text/event-stream']
      ?.schema
    assert.deepEqual(event.properties.data.contentSchema.anyOf[1], {
      $ref: '#/components/schemas/StreamError',
    })
  })

  it('says of a lenient body that anything else counts as empty', () => {
    const schema = jsonSchema(operation('post', '/api/boxes/lenient').requestBody)
    assert.deepEqual(schema.anyOf[1], { description: 'Any other body counts as empty' })
  })

  it('describes each operation: who may call it, what it changes, its plan, limits and failures', () => {
    for (const { path, operation: each } of operations()) assert.match(each.description, /\.$/, path)
    assert.equal(
      operation('post', '/api/boxes/limited').description,
      'Requires the permission `websites_management`. Changes the host or the panel; a failed change is undone as a whole. ' +
        'Recorded in the activity log as `boxes_send_limited`. With `plan=1` the changes are described and not made. ' +
        'At most 3 attempts a minute.',
    )
  })

  it('leaves fields with a default to the sender, and says of an answer that they are there', () => {
    const body = jsonSchema(operation('post', '/api/shop/tools').requestBody)
    const answer = jsonSchema(operation('post', '/api/shop/tools').responses['201'])
    assert.deepEqual(body, { $ref: '#/components/schemas/shop.ToolSent' })
    assert.deepEqual(answer.properties.data, { $ref: '#/components/schemas/shop.Tool' })
    const { 'shop.Tool': shown, 'shop.ToolSent': sent } = document.components.schemas
    assert.deepEqual([sent.required, shown.required], [['name'], ['name', 'size']])
    assert.equal(sent.properties.name['x-expects'], 'a name')
    assert.equal(operation('post', '/api/shop/tools').parameters[0]?.required, false)
  })

  it('has no key of ours in a schema but extensions, and refers only to components that are there', () => {
    const found = schemasOf(document).flatMap((schema) => Object.keys(schema))
    assert.deepEqual([...new Set(found.filter((key) => !isKeyword(key)))], [])
    const refs = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
    assert.ok(refs.length > 50)
    assert.deepEqual(
      refs.filter(([, name]) => document.components.schemas[name as string] === undefined),
      [],
    )
    assert.equal(isKeyword('expects'), false)
  })

  it('marks secrets as written only, where they are not revealed', () => {
    const body = JSON.stringify(operation('post', '/api/boxes').requestBody)
    assert.match(body, /"password":\{[^}]*"writeOnly":true/)
  })
})
