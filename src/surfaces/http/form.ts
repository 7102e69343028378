import type { FastifyInstance, FastifyRequest } from 'fastify'
import multipart, { type Multipart } from '@fastify/multipart'
import type { Readable } from 'node:stream'
import { BadRequest, PayloadTooLarge, Problem, Unavailable } from '../../core/problem.ts'

const fieldBytes = 64 * 1024
const mostFields = 50
const mostParts = 60

/** The part of a form before its file. */
export interface Form {
  /** The declared fields; others are ignored, as everywhere. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly fileName: string | undefined
  readonly file: Readable
  /** Settles when the whole form has been read: only then is it known to be valid. */
  readonly whole: Promise<void>
}

/** Leaves a form unread until it is opened. */
export async function takeForms(app: FastifyInstance): Promise<void> {
  // a second file is let through, so that the error can name it
  await app.register(multipart, {
    limits: { fields: mostFields, fieldSize: fieldBytes, files: 2, parts: mostParts },
  })
}

/**
 * Reads a form up to its file; a part that cannot be read, or would be ignored silently, is refused with a
 * message.
 */
export async function openForm(
  request: FastifyRequest,
  names: readonly string[],
  { maxBytes, stalled }: { readonly maxBytes: number; readonly stalled: Promise<never> },
): Promise<Form> {
  refuseWithoutBoundary(request.headers['content-type'])
  const parts: Parts = { iterator: request.parts({ limits: { fileSize: maxBytes + 1 } }), stalled }
  const fields = new Map<string, unknown>()
  for (let part = await next(parts); part !== undefined; part = await next(parts)) {
    if (part.type === 'file') {
      const whole = readTheRest(parts, names)
      whole.catch(() => {}) // the reader of the file receives the error
      return { fields: Object.fromEntries(fields), fileName: part.filename, file: part.file, whole }
    }
    if (names.includes(part.fieldname)) take(part, fields)
  }
  throw BadRequest(
    'file: is required; send it as multipart/form-data, as a part with a filename after the other fields',
  )
}

function refuseWithoutBoundary(type = ''): void {
  if (!/;\s*boundary=(?:"[^"]+"|[^\s";]+)/i.test(type))
    throw BadRequest('Content-Type: multipart/form-data must name the boundary between the parts')
}

function take(
  { fieldname, value, valueTruncated }: Multipart & { type: 'field' },
  fields: Map<string, unknown>,
): void {
  if (fields.has(fieldname)) throw BadRequest(`${fieldname}: is there twice; send it once`)
  if (valueTruncated) throw BadRequest(`${fieldname}: must be at most ${fieldBytes} bytes`)
  fields.set(fieldname, value)
}

async function readTheRest(parts: Parts, names: readonly string[]): Promise<void> {
  for (let part = await next(parts); part !== undefined; part = await next(parts)) {
    if (part.type === 'field' && names.includes(part.fieldname))
      throw BadRequest(`${part.fieldname}: must come before the file`)
    if (part.type === 'field') continue
    part.file.resume()
    throw BadRequest(
      `file: ${JSON.stringify(part.filename ?? part.fieldname)} is a second one; send one file at a time`,
    )
  }
}

interface Parts {
  readonly iterator: AsyncIterator<Multipart>
  /** Rejects when the client stops sending. */
  readonly stalled: Promise<never>
}

async function next({ iterator, stalled }: Parts): Promise<Multipart | undefined> {
  try {
    return (await Promise.race([iterator.next(), stalled])).value
  } catch (error) {
    throw formProblem(error)
  }
}

const left = () => Unavailable('The caller went away')
const refusals: Readonly<Record<string, () => Error>> = {
  ECONNRESET: left,
  FST_MP_PREMATURE_CLOSE: left,
  FST_REQ_FILE_TOO_LARGE: () => PayloadTooLarge(),
  FST_FIELDS_LIMIT: () => BadRequest(`body: must be a form of at most ${mostFields} fields`),
  FST_PARTS_LIMIT: () => BadRequest(`body: must be a form of at most ${mostParts} parts`),
  FST_FILES_LIMIT: () => BadRequest('file: must be one; send one file at a time'),
  FST_PROTO_VIOLATION: () => BadRequest('body: a part has a name that no field may have, such as __proto__'),
  FST_INVALID_JSON_FIELD_ERROR: () =>
    BadRequest('body: a field says that it is application/json, and is not'),
}

/** Translates an error of the parser into a problem that the caller can act on. */
export function formProblem(error: unknown): Error {
  if (error instanceof Problem) return error
  const { code, message } = error as Error & { readonly code?: string }
  return (
    refusals[code ?? '']?.() ??
    BadRequest(`body: must be multipart/form-data, whole up to its last boundary (${message})`)
  )
}
