import type { TSchema } from 'typebox'
import { describeGuard, type Guard } from '../../core/guard.ts'
import { listParameters } from '../../core/reply.ts'
import { decidesChange } from '../../core/endpoint.ts'
import { actionOf, operationId, type Route } from '../routes.ts'
import { descriptionOf } from './description.ts'
import { CodedError, FlatError, MessageError, Plan, ProblemDetails, StreamError } from './envelopes.ts'
import { headerComponents } from './headers.ts'
import { openResponses, type Publish, type ResponsePublisher, sendsRanges } from './responses.ts'
import { openSchemas } from './schemas.ts'

/** The parts of an OpenAPI document. */
export interface OpenApiDocument {
  readonly openapi: string
  readonly info: object
  readonly servers: readonly object[]
  readonly security: readonly object[]
  readonly tags: readonly object[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, object>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly responses: Readonly<Record<string, object>>
    readonly headers: Readonly<Record<string, object>>
    readonly securitySchemes: object
  }
}

/** Builds the OpenAPI 3.1 document of the route table. */
export function openApiDocument(routes: readonly Route[], version: string): OpenApiDocument {
  const { head, pathsOf, components } = openDocument(routes, version)
  const paths = Object.fromEntries(byPath(routes).map(([path, own]) => [path, pathsOf(own)]))
  return { ...head, paths, components: components() }
}

/** Writes that document as JSON, path by path: as a whole it would take several times the memory. */
export function writeOpenApi(routes: readonly Route[], version: string): Buffer {
  const { head, pathsOf, components } = openDocument(routes, version)
  const written = byPath(routes).map(([path, own], index) =>
    Buffer.from(`${index === 0 ? '' : ','}${JSON.stringify(path)}:${JSON.stringify(pathsOf(own))}`),
  )
  return Buffer.concat([
    Buffer.from(`${JSON.stringify(head).slice(0, -1)},"paths":{`),
    ...written,
    Buffer.from(`},"components":${JSON.stringify(components())}}`),
  ])
}

const byPath = (routes: readonly Route[]): readonly (readonly [string, readonly Route[]])[] => [
  ...Map.groupBy(routes, ({ path }) => path),
]

/** The parts of a document; the components are those that the paths have named until then. */
function openDocument(routes: readonly Route[], version: string) {
  const schemas = openSchemas(routes)
  const responses = openResponses(schemas.publish)
  return {
    head: {
      openapi: '3.1.0',
      info: {
        title: 'Hostreeve',
        version,
        description: 'Administers one Linux host and its websites.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      security: [{ bearer: [] }],
      tags: [
        ...new Map(
          routes.map(({ area }) => [area.name, { name: area.name, description: area.title }]),
        ).values(),
      ],
    },
    pathsOf: (own: readonly Route[]): Record<string, object> =>
      Object.fromEntries(
        own.map((route) => [
          route.endpoint.method.toLowerCase(),
          operationOf(route, schemas.publish, responses),
        ]),
      ),
    components: () => ({
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An access token or a bap_ key' },
        ...keySchemes(routes),
      },
      headers: headerComponents,
      responses: responses.components(),
      schemas: { ...envelopes, ...schemas.components() },
    }),
  }
}

/** The keys and tokens that routes of this table accept instead of a credential. */
function keySchemes(routes: readonly Route[]): Record<string, object> {
  return Object.fromEntries(
    routes.flatMap(({ guard }) => {
      if (guard.kind === 'key')
        return [[`key_${guard.header}`, { type: 'apiKey', in: 'header', name: guard.header }]]
      if (guard.kind !== 'socket-token') return []
      return [['socket_token', { type: 'apiKey', in: 'query', name: 'token' }]]
    }),
  )
}

function securityOf(guard: Guard): object {
  if (guard.kind === 'open') return { security: [] }
  if (guard.kind === 'socket-token') return { security: [{ socket_token: [] }] }
  if (guard.kind !== 'key') return {}
  return { security: [{ [`key_${guard.header}`]: [] }, ...(guard.orSuperuser ? [{ bearer: [] }] : [])] }
}

const envelopes = { Error: CodedError, MessageError, FlatError, Plan, ProblemDetails, StreamError }

function operationOf(route: Route, publish: Publish, responses: ResponsePublisher): object {
  const { endpoint, guard, area } = route
  return {
    operationId: operationId(route),
    tags: [area.name],
    summary: endpoint.summary,
    description: descriptionOf(route),
    parameters: parametersOf(route, publish),
    ...(endpoint.body && { requestBody: bodyOf(route, publish) }),
    responses: responses.responsesOf(route),
    ...securityOf(guard),
    'x-guard': [
      describeGuard(guard),
      ...(area.feature ? [`FEATURE(${area.feature})`] : []),
      ...(area.plugin ? [`PLUGIN(${area.plugin})`] : []),
    ].join('+'),
    'x-effect': endpoint.effect,
    ...(endpoint.effect !== 'reads' && { 'x-action': actionOf(route) }),
    ...categoryOf(endpoint),
  }
}

function categoryOf({ category }: Route['endpoint']): object {
  if (category === undefined) return {}
  return typeof category === 'string'
    ? { 'x-replication-category': category }
    : { 'x-local': category.reason }
}

interface Properties {
  readonly properties?: Record<string, TSchema & { description?: string; default?: unknown }>
  readonly required?: readonly string[]
}

function parametersOf({ endpoint }: Route, publish: Publish): readonly object[] {
  const listing = endpoint.reply.list && { properties: listParameters(endpoint.reply.list), required: [] }
  const plan = decidesChange(endpoint.effect)
    ? [
        {
          name: 'plan',
          in: 'query',
          required: false,
          description: 'Show what would be done instead of doing it',
          schema: { type: 'string', enum: ['1', 'true', '0', 'false'] },
        },
      ]
    : []
  return [
    ...parametersIn('path', endpoint.params, publish),
    ...parametersIn('query', endpoint.query, publish),
    ...parametersIn('query', listing, publish),
    ...plan,
    ...(sendsRanges(endpoint) ? headers(rangeHeaders) : []),
    ...(endpoint.reply.kind === 'awaited' ? headers(awaitedHeaders) : []),
    ...(endpoint.reply.kind === 'followed' ? headers(followedHeaders) : []),
  ]
}

function parametersIn(
  place: 'path' | 'query',
  schema: object | undefined,
  publish: Publish,
): readonly object[] {
  const { properties = {}, required = [] } = (schema ?? {}) as Properties
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (required.includes(name) && property.default === undefined),
    schema: publish(property, 'sent'),
    ...(property.description && { description: property.description }),
  }))
}

function bodyOf({ endpoint: { body, isLenient } }: Route, publish: Publish): object {
  if (body && 'kind' in body && body.kind === 'upload') {
    const fields = sentFields(body.fields as unknown as Properties, publish)
    const schema = {
      type: 'object',
      properties: { ...fields.properties, file: { type: 'string', format: 'binary' } },
      required: [...fields.required, 'file'],
    }
    return {
      required: true,
      content: {
        'multipart/form-data': { schema },
        'application/octet-stream': { schema: { type: 'string', format: 'binary' } },
      },
    }
  }
  const { required = [], properties = {} } = (body ?? {}) as Properties
  const isRequired = required.some((name) => properties[name]?.default === undefined)
  const sent = publish(body, 'sent')
  const schema = isLenient ? { anyOf: [sent, { description: 'Any other body counts as empty' }] } : sent
  return { required: isRequired, content: { 'application/json': { schema } } }
}

/** The fields next to a file; they have no schema of their own, as the file is one of them. */
function sentFields({ properties = {}, required = [] }: Properties, publish: Publish) {
  return {
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [name, publish(property, 'sent')]),
    ),
    required: required.filter((name) => properties[name]?.default === undefined),
  }
}

const awaitedHeaders = {
  Prefer: 'respond-async: answer 202 with the job at once, and do not wait for its end',
}

const followedHeaders = {
  'Last-Event-ID': 'The last event that was read, where the request is sent again with its Idempotency-Key',
}

const rangeHeaders = {
  Range: 'One range of bytes',
  'If-Range': 'The ETag of the part that is there already: of anything else the whole is sent',
  'If-None-Match': 'ETags of what is there already: nothing is sent where one is current',
}

const headers = (described: Readonly<Record<string, string>>): readonly object[] =>
  Object.entries(described).map(([name, description]) => ({
    name,
    in: 'header',
    required: false,
    description,
    schema: { type: 'string' },
  }))
