import type { FastifyInstance, FastifyRequest } from 'fastify'
import secureJson from 'secure-json-parse'
import { finished, type Readable, Transform } from 'node:stream'
import { callbackify } from 'node:util'
import type { TObject, TSchema } from 'typebox'
import { textBinder } from '../../core/bind.ts'
import type { Upload, UploadBody } from '../../core/endpoint.ts'
import { BadRequest, PayloadTooLarge } from '../../core/problem.ts'
import { formProblem, openForm, takeForms } from './form.ts'

const maxDepth = 64

/** Reads bodies as JSON whatever their Content-Type (decision 1.4); a body that cannot be read stays text for the endpoint to refuse. */
export function readBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, text, done) => done(null, text))
}

/** Leaves bodies on the wire for the step that stores them; a form is opened when it is asked for. */
export async function streamBodies(app: FastifyInstance): Promise<void> {
  app.removeAllContentTypeParsers()
  app.addHook('onResponse', dropRest)
  await takeForms(app)
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
}

/** The JSON value of a body. A missing one counts as `{}`. */
export function parseBody(text: unknown, isLenient: boolean): unknown {
  if (text === undefined || text === null || text === '') return {}
  if (typeof text !== 'string') return isLenient ? {} : refuse('body: must be JSON')
  try {
    if (text.length > maxDepth * 2 && isTooDeep(text))
      throw BadRequest(`body: must not be nested deeper than ${maxDepth} levels`)
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
  const { fields, fileName, file, whole } = await openForm(
    request,
    Object.keys(body.fields.properties),
    body.maxBytes,
  )
  return {
    fields: bound(bind({ ...(request.query as object), ...fields })),
    fileName,
    stream: limited(file, body.maxBytes, whole),
  }
}

/** The fields that may also come as a header, as protocols for uploads have them: `x-header` in the schema names it. */
function headerFields(fields: TObject, { headers }: FastifyRequest): Record<string, unknown> {
  const named = Object.entries(fields.properties).map(([field, schema]): [string, unknown] => [
    field,
    'x-header' in schema && schema['x-header'],
  ])
  return Object.fromEntries(
    named.flatMap(([field, name]) =>
      typeof name === 'string' && headers[name] !== undefined ? [[field, headers[name]]] : [],
    ),
  )
}

/** The same bytes, but breaking off with 413 beyond the limit, and ending only when all of the form around them was read and is right. */
function limited(source: Readable, maxBytes: number, whole?: Promise<void>): Readable {
  let total = 0
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      total += chunk.length
      if (total > maxBytes) return done(PayloadTooLarge(`file: must be at most ${maxBytes} bytes`))
      done(null, chunk)
    },
    flush: callbackify(async () => whole),
  })
  source.pipe(counted)
  // Where the reader gives up, the source is not destroyed: what is left on the wire could not be dropped then.
  counted.once('close', () => source.unpipe(counted))
  finished(
    source,
    { writable: false },
    (error) => error && counted.destroy(whole ? formProblem(error) : error),
  )
  return counted
}

const lingerMs = 30_000

/** Drops what a caller still sends who was answered early, for a while: one who sends all before he reads would never see the answer. */
async function dropRest({ raw }: FastifyRequest): Promise<void> {
  if (raw.complete || raw.destroyed) return
  raw.unpipe().resume()
  const timer = setTimeout(() => raw.destroy(), lingerMs)
  for (const end of ['end', 'close']) raw.once(end, () => clearTimeout(timer))
}

function bound({ value, issue }: { readonly value?: unknown; readonly issue?: string | undefined }): unknown {
  if (issue !== undefined) throw BadRequest(issue)
  return value
}
