import { kindsOf } from '../../core/endpoint.ts'
import { enqueued } from '../../core/reply.ts'
import type { Route } from '../routes.ts'
import type { SchemaPublisher } from './schemas.ts'

export type Publish = SchemaPublisher['publish']

/** Returns every response of an operation, by status. */
export function responsesOf(route: Route, publish: Publish): Record<string, object> {
  return {
    ...successOf(route, publish),
    ...(sendsRanges(route.endpoint) && partsOf(route)),
    ...(route.endpoint.reply.kind === 'awaited' && successOf({ endpoint: { reply: enqueued } }, publish)),
    ...failuresOf(route, publish),
  }
}

type Replying = { readonly endpoint: Pick<Route['endpoint'], 'reply'> }

function successOf({ endpoint: { reply } }: Replying, publish: Publish): Record<string, object> {
  const content = {
    bytes: Object.fromEntries(
      (reply.mediaTypes?.length ? reply.mediaTypes : ['application/octet-stream']).map((type) => [
        type,
        { schema: { type: 'string', format: 'binary' } },
      ]),
    ),
    events: { 'text/event-stream': { schema: publish(reply.schema, 'shown') } },
    followed: { 'text/event-stream': { schema: publish(reply.schema, 'shown') } },
    socket: undefined,
  }[reply.kind as string] ?? { 'application/json': { schema: schemaOf(reply, publish) } }
  return {
    [reply.status]: {
      description: statusText[reply.status] ?? 'Done',
      ...(reply.kind !== 'socket' && { content }),
    },
  }
}

function schemaOf(reply: Route['endpoint']['reply'], publish: Publish): object | undefined {
  if (reply.schema === undefined) return undefined
  const schema = publish(reply.schema, 'shown')
  if (reply.kind === 'flat' || reply.kind === 'rpc' || reply.shape === 'flat') return schema
  return { type: 'object', required: ['data'], properties: { data: schema } }
}

/** True if the content supports ranges: it then declares a refusal for a range outside of it. */
export function sendsRanges({ reply, throws = {} }: Route['endpoint']): boolean {
  return (
    reply.kind === 'bytes' &&
    Object.values(throws).some((failure) => kindsOf(failure).kinds.some(({ status }) => status === 416))
  )
}

/** The responses to conditional and range headers besides the full content. */
function partsOf({ endpoint: { reply } }: Route): Record<string, object> {
  const content = {
    [reply.mediaTypes?.[0] ?? 'application/octet-stream']: { schema: { type: 'string', format: 'binary' } },
  }
  return {
    206: { description: 'The range that was asked for', content },
    304: { description: 'What If-None-Match names is still current' },
  }
}

const statusText: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted: a stored job does the work',
  101: 'The connection becomes a WebSocket',
}

function failuresOf({ endpoint, guard }: Route, publish: Publish): Record<string, object> {
  const texts = new Map<number, string[]>()
  const add = (status: number, text: string) => texts.set(status, [...(texts.get(status) ?? []), text])
  const { code = 'bad_request', status = 400 } = endpoint.invalid ?? {}
  if (endpoint.query || endpoint.params) add(400, 'bad_request')
  if (endpoint.body) add(status, code)
  if (guard.kind !== 'open' || guard.checksCredential) add(401, 'unauthorized')
  if (guard.kind === 'superuser' || guard.kind === 'permission') add(403, 'forbidden')
  for (const [code, failure] of Object.entries(endpoint.throws ?? {})) {
    const { kinds, status } = kindsOf(failure)
    for (const kind of kinds) add(status ?? kind.status, `${code}: ${kind.text}`)
  }
  return Object.fromEntries(
    [...texts].map(([status, lines]) => [
      status,
      {
        description: [...new Set(lines)].join('; '),
        content: { 'application/json': { schema: errorSchema(endpoint, status, publish) } },
      },
    ]),
  )
}

/**
 * The body of a failure, with the further fields that its kinds declare; an alternative to the reply if they
 * share the status.
 */
function errorSchema({ throws = {}, reply }: Route['endpoint'], status: number, publish: Publish): object {
  const kinds = Object.values(throws).flatMap((failure) => {
    const { kinds, status: own } = kindsOf(failure)
    return kinds.filter((kind) => (own ?? kind.status) === status)
  })
  const properties = Object.assign({}, ...kinds.map(({ fields }) => fields?.properties))
  const error = { $ref: '#/components/schemas/Error' }
  const further = publish({ type: 'object', properties: { error: { type: 'object', properties } } }, 'shown')
  const schema = Object.keys(properties).length === 0 ? error : { allOf: [error, further] }
  return status === reply.status ? { anyOf: [schemaOf(reply, publish), schema] } : schema
}
