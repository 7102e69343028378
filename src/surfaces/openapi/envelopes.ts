const message = { type: 'string', description: 'The reason, in terms of the product' }
const isPartial = { type: 'boolean', description: 'True if the request was carried out in part' }

const errorOf = (properties: object, required: readonly string[]) => ({
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'object', required, properties } },
})

/** The error of areas that answer code and message. */
export const CodedError = errorOf({ code: { type: 'string' }, message, is_partial: isPartial }, [
  'code',
  'message',
])

/** The error of areas that answer a message without a code. */
export const MessageError = errorOf({ message, is_partial: isPartial }, ['message'])

/** The error of areas that answer a text alone. */
export const FlatError = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'string' } },
}

/** An error by RFC 9457, for callers who accept `application/problem+json`. */
export const ProblemDetails = {
  type: 'object',
  description: 'An error by RFC 9457, if the request accepts application/problem+json',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string' },
    request_id: { type: 'string' },
  },
}

/** The last event of a stream that did not reach its end. */
export const StreamError = {
  type: 'object',
  description: 'The last event of a stream that failed, or that the panel ended',
  required: ['type', 'message'],
  properties: { type: { type: 'string', const: 'error' }, message: { type: 'string' } },
}

/** The plan of a change. */
export const Plan = {
  type: 'object',
  description: 'What a change would do, answered with ?plan=1',
  required: ['data'],
  properties: {
    data: {
      type: 'object',
      required: ['effect', 'summary', 'steps', 'rows', 'jobs', 'details', 'is_reversible'],
      properties: {
        effect: { type: 'string' },
        summary: { type: 'string' },
        steps: { type: 'array', items: { type: 'object' } },
        rows: { type: 'array', items: { type: 'object' } },
        jobs: { type: 'array', items: { type: 'string' } },
        details: { type: 'array', items: { type: 'string' } },
        is_reversible: { type: 'boolean' },
        is_job: {
          type: 'boolean',
          description: 'True for a job, which goes on when its caller leaves; absent otherwise',
        },
      },
    },
  },
}
