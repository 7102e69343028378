import type { FastifyInstance, FastifyRequest } from 'fastify'
import multipart, { type MultipartFile } from '@fastify/multipart'
import secureJson from 'secure-json-parse'
import { pipeline, type Readable, Transform } from 'node:stream'
import type { TObject, TSchema } from 'typebox'
import { textBinder } from '../../core/bind.ts'
import type { Upload, UploadBody } from '../../core/endpoint.ts'
import { BadRequest, PayloadTooLarge } from '../../core/problem.ts'

const maxDepth = 64

/** Reads bodies as JSON whatever their Content-Type (decision 1.4); a body that cannot be read stays text for the endpoint to refuse. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))
}

/** Leaves bodies on the wire for the step that stores them; multipart is opened when it is asked for. */
export async function streamBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  await app.register(multipart, { limits: { fields: 50, fieldSize: 64 * 1024, files: 1, parts: 60 } })
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** The JSON value of a body. A missing one counts as `{}`. */
export function parseBody(text: unknown, isLenient: boolean): unknown {
  if (text === undefined || text === null || text === '') return {}
  if (typeof text !== 'string') return isLenient ? {} : refuse('body: must be JSON')
  try {
    if (text.length > maxDepth * 2 && isTooDeep(text)) throw BadRequest(`body: must not be nested deeper than ${maxDepth} levels`)
    return secureJson.parse(text, null, { protoAction: 'remove', constructorAction: 'remove' })
  } catch (error) {
    if (isLenient) return {}
    if (error instanceof SyntaxError) throw BadRequest(`body: must be JSON (${error.message.slice(0, 200)})`)
    throw error
  }
}

function refuse(message: string): never {
  throw BadRequest(message)
}

/** Counts brackets outside strings, so that a hostile body never reaches the parser's or the checker's recursion. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0, isQuoted = false; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isQuoted) {
      if (code === 0x5c) at += 1
      else if (code === 0x22) isQuoted = false
    } else if (code === 0x22) isQuoted = true
    else if (code === 0x5b || code === 0x7b) {
      depth += 1
      if (depth > maxDepth) return true
    } else if (code === 0x5d || code === 0x7d) depth -= 1
  }
  return false
}

/** Opens the file of an upload: multipart/form-data with the fields before the file, or the bytes alone with the fields in the query. */
export async function openUpload(request: FastifyRequest, body: UploadBody): Promise<Upload<unknown>> {
  const bind = textBinder(body.fields as TSchema, 'form')
  if (!request.isMultipart()) {
    return {
      fields: bound(bind({ ...headerFields(body.fields, request), ...(request.query as object) })),
      fileName: undefined,
      stream: limited(request.raw, body.maxBytes),
    }
  }
  const file = await request.file({ limits: { fileSize: body.maxBytes + 1 } })
  if (file === undefined) throw BadRequest('file: is required; send it as multipart/form-data, after the other fields')
  return {
    fields: bound(bind({ ...(request.query as object), ...fieldsOf(file) })),
    fileName: file.filename,
    stream: limited(file.file, body.maxBytes),
  }
}

/** The fields that may also come as a header, as protocols for uploads have them: `x-header` in the schema names it. */
function headerFields(fields: TObject, { headers }: FastifyRequest): Record<string, unknown> {
  const named = Object.entries(fields.properties).map(([field, schema]): [string, unknown] => [field, 'x-header' in schema && schema['x-header']])
  return Object.fromEntries(
    named.flatMap(([field, name]) => (typeof name === 'string' && headers[name] !== undefined ? [[field, headers[name]]] : [])),
  )
}

/** The same bytes, but breaking off with 413 beyond the limit. */
function limited(source: Readable, maxBytes: number): Readable {
  let total = 0
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      total += chunk.length
      if (total > maxBytes) return done(PayloadTooLarge(`file: must be at most ${maxBytes} bytes`))
      done(null, chunk)
    },
  })
  pipeline(source, counted, () => source.resume()) // the reader of the stream meets the error; what is left on the wire is dropped
  return counted
}

function fieldsOf(file: MultipartFile): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [name, part] of Object.entries(file.fields)) {
    const first = Array.isArray(part) ? part[0] : part
    if (first?.type === 'field') fields[name] = first.value
  }
  return fields
}

function bound({ value, issue }: { readonly value?: unknown; readonly issue?: string | undefined }): unknown {
  if (issue !== undefined) throw BadRequest(issue)
  return value
}
