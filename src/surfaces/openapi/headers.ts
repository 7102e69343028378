import type { Reply } from '../../core/reply.ts'

const described: Readonly<Record<string, { readonly description: string; readonly type: string }>> = {
  'X-Change-Id': { description: 'The change that was carried out', type: 'integer' },
  'X-Undo-Id': {
    description: 'The activity entry by which the change can be undone: POST /api/activity/{id}/undo',
    type: 'integer',
  },
  'X-Job-Id': { description: 'The stored job that does the work', type: 'integer' },
  'X-Plan-Digest': {
    description: 'With a plan: its digest, by which a request can name the only plan that it may carry out',
    type: 'string',
  },
  'Idempotency-Replayed': {
    description: 'true if the Idempotency-Key was used before: nothing was done again',
    type: 'string',
  },
  ETag: { description: 'The version of the content, for If-Match and If-None-Match', type: 'string' },
  'Retry-After': { description: 'Seconds until the next attempt is accepted', type: 'integer' },
  'WWW-Authenticate': { description: 'The scheme of the credential: Bearer', type: 'string' },
}

/** The response headers of the document, as components. */
export const headerComponents: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(described).map(([name, { description, type }]) => [name, { description, schema: { type } }]),
)

/** Refers to headers of a response; nothing if there are none. */
export const headerReferences = (names: readonly string[]): { readonly headers?: object } =>
  names.length === 0
    ? {}
    : { headers: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }])) }

/** True if a reply names its version: a file, or a row with a revision. */
export const mayCarryEtag = ({ kind, schema }: Reply): boolean =>
  kind === 'bytes' || (schema !== undefined && 'properties' in schema && hasRevision(schema.properties))

const hasRevision = (properties: unknown): boolean =>
  typeof properties === 'object' && properties !== null && 'revision' in properties
