import { decidesChange, kindsOf } from '../../core/endpoint.ts'
import { enqueued } from '../../core/reply.ts'
import type { Route } from '../routes.ts'
import { failuresOf, type FailureResponse } from './failures.ts'
import { headerReferences, mayCarryEtag } from './headers.ts'
import type { SchemaPublisher } from './schemas.ts'

export type Publish = SchemaPublisher['publish']

/** Returns the responses of each operation; those that operations share are components. */
export interface ResponsePublisher {
  responsesOf(route: Route): Record<string, object>
  /** The components that have been referenced so far, by name. */
  components(): Readonly<Record<string, object>>
}

/** Creates the publisher of a document. */
export function openResponses(publish: Publish): ResponsePublisher {
  const components = new Map<string, object>()
  const shared = (name: string, response: object): object => {
    components.set(name, response)
    return { $ref: `#/components/responses/${name}` }
  }
  return {
    responsesOf: (route) => {
      const successes = successesOf(route, publish)
      const answers = new Map<string, object>(successes)
      for (const [status, failure] of failuresOf(route, publish)) {
        const success = successes.get(status)
        if (success) answers.set(status, withError(success, failure))
        else if (failure.component === undefined) answers.set(status, failed(failure))
        else answers.set(status, shared(failure.component, failed(failure)))
      }
      return Object.fromEntries(answers)
    },
    components: () =>
      Object.fromEntries([...components].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  }
}

interface Response {
  readonly description: string
  readonly headers?: object
  readonly content?: Readonly<Record<string, { readonly schema: object | undefined }>>
}

function successesOf(route: Route, publish: Publish): Map<string, Response> {
  const { endpoint } = route
  const answers = new Map<string, Response>([[String(endpoint.reply.status), replyOf(route, publish)]])
  if (sendsRanges(endpoint)) for (const [status, part] of partsOf(endpoint)) answers.set(status, part)
  if (endpoint.reply.kind === 'awaited')
    answers.set('202', {
      description: describe(202),
      ...headerReferences(['X-Change-Id', 'X-Job-Id', 'Idempotency-Replayed']),
      content: { 'application/json': { schema: schemaOf(enqueued, publish) } },
    })
  if (endpoint.reply.kind === 'rpc') {
    answers.set('202', { description: 'A notification was taken' })
    const description = 'A failure that the protocol answers with a status of HTTP'
    for (const status of ['400', '404']) answers.set(status, { ...replyOf(route, publish), description })
  }
  if (decidesChange(endpoint.effect)) answers.set('200', withPlan(answers.get('200')))
  return answers
}

function replyOf({ endpoint }: Route, publish: Publish): Response {
  const { reply } = endpoint
  const headers = headerReferences([...changeHeaders(endpoint), ...(mayCarryEtag(reply) ? ['ETag'] : [])])
  const description = describe(reply.status)
  if (reply.kind === 'socket') return { description }
  return { description, ...headers, content: contentOf(reply, publish) }
}

/** The headers that name the change, its job, and the entry by which it can be undone. */
function changeHeaders({ effect, reply: { kind, work } }: Route['endpoint']): readonly string[] {
  if (!decidesChange(effect)) return []
  return [
    'X-Change-Id',
    ...(work ? ['X-Job-Id'] : []),
    ...(!work || kind === 'awaited' ? ['X-Undo-Id'] : []),
    'Idempotency-Replayed',
  ]
}

function contentOf(reply: Route['endpoint']['reply'], publish: Publish): NonNullable<Response['content']> {
  if (reply.kind === 'bytes') {
    const types = reply.mediaTypes?.length ? reply.mediaTypes : ['application/octet-stream']
    return Object.fromEntries(types.map((type) => [type, { schema: bytes }]))
  }
  if (reply.kind === 'events' || reply.kind === 'followed')
    return { 'text/event-stream': { schema: eventSchema(publish(reply.schema, 'shown')) } }
  return { 'application/json': { schema: schemaOf(reply, publish) } }
}

const bytes = { type: 'string', format: 'binary' }
const streamError = { $ref: '#/components/schemas/StreamError' }

/** One event of a stream, as OpenAPI 3.2 describes it: its data are JSON. */
const eventSchema = (schema: object): object => ({
  type: 'object',
  required: ['data'],
  properties: {
    id: { type: 'string' },
    data: {
      type: 'string',
      contentMediaType: 'application/json',
      contentSchema: { anyOf: [schema, streamError] },
    },
  },
})

function schemaOf(reply: Route['endpoint']['reply'], publish: Publish): object | undefined {
  if (reply.schema === undefined) return undefined
  const schema = publish(reply.schema, 'shown')
  if (reply.kind === 'flat' || reply.kind === 'rpc' || reply.shape === 'flat') return schema
  return { type: 'object', required: ['data'], properties: { data: schema } }
}

/** `?plan=1` is answered with 200, whatever the status of the change itself. */
function withPlan(success: Response | undefined): Response {
  const plan = { $ref: '#/components/schemas/Plan' }
  const { schema } = success?.content?.['application/json'] ?? {}
  return {
    ...(success ?? { description: 'The plan, if plan=1 was sent' }),
    headers: { ...success?.headers, ...headerReferences(['X-Plan-Digest']).headers },
    content: {
      ...success?.content,
      'application/json': { schema: schema ? { anyOf: [schema, plan] } : plan },
    },
  }
}

/** True if the content supports ranges: it then declares a refusal for a range outside of it. */
export function sendsRanges({ reply, throws = {} }: Route['endpoint']): boolean {
  return (
    reply.kind === 'bytes' &&
    Object.values(throws).some((failure) => kindsOf(failure).kinds.some(({ status }) => status === 416))
  )
}

/** The responses to conditional and range headers besides the full content. */
function partsOf({ reply }: Route['endpoint']): readonly (readonly [string, Response])[] {
  const type = reply.mediaTypes?.[0] ?? 'application/octet-stream'
  return [
    ['206', { description: 'The range that was asked for', content: { [type]: { schema: bytes } } }],
    ['304', { description: 'What If-None-Match names is still current' }],
  ]
}

const describe = (status: number): string => statusText[status] ?? 'Done'

const statusText: Readonly<Record<number, string>> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted: a stored job does the work',
  101: 'The connection becomes a WebSocket',
}

const problemDetails = { schema: { $ref: '#/components/schemas/ProblemDetails' } }

function failed({ description, schema, headers }: FailureResponse): Response {
  return {
    description,
    ...headerReferences(headers),
    content: { 'application/json': { schema }, 'application/problem+json': problemDetails },
  }
}

/** An error envelope with the status of success, as the contract has it in a few places. */
function withError(success: Response, { description, schema }: FailureResponse): Response {
  const { schema: shown } = success.content?.['application/json'] ?? {}
  const either = shown ? { anyOf: [shown, schema] } : schema
  return {
    ...success,
    description: `${success.description}; ${description}`,
    content: {
      ...success.content,
      'application/json': { schema: either },
      'application/problem+json': problemDetails,
    },
  }
}
