import type { FastifyRequest } from 'fastify'
import { finished, type Readable, Transform } from 'node:stream'
import { callbackify } from 'node:util'
import type { TObject, TSchema } from 'typebox'
import { textBinder } from '../../core/bind.ts'
import type { Upload, UploadBody } from '../../core/endpoint.ts'
import { BadRequest, PayloadTooLarge } from '../../core/problem.ts'
import { formProblem, openForm } from './form.ts'
import type { Intake } from './intake.ts'
import { stallOf } from './stall.ts'

/**
 * Opens the file of an upload: multipart/form-data with the fields before the file, or a raw body with the
 * fields in the query.
 */
export async function openUpload(
  request: FastifyRequest,
  body: UploadBody,
  { stalledMs }: Intake,
): Promise<Upload<unknown>> {
  const stalled = stallOf(request.raw, stalledMs)
  const bind = textBinder(body.fields as TSchema, 'form')
  if (!request.isMultipart()) {
    return {
      fields: bound(bind({ ...headerFields(body.fields, request), ...(request.query as object) })),
      fileName: undefined,
      stream: limited({ source: request.raw, maxBytes: body.maxBytes, stalled }),
    }
  }
  const { fields, fileName, file, whole } = await openForm(request, Object.keys(body.fields.properties), {
    maxBytes: body.maxBytes,
    stalled,
  })
  return {
    fields: bound(bind({ ...(request.query as object), ...fields })),
    fileName,
    stream: limited({ source: file, maxBytes: body.maxBytes, stalled, whole }),
  }
}

/**
 * The fields that can also be sent as a header, as upload protocols do: `x-header` in the schema names it.
 */
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

interface Source {
  readonly source: Readable
  readonly maxBytes: number
  readonly stalled: Promise<never>
  /** Settles when the form around the file has been read. */
  readonly whole?: Promise<void>
}

/**
 * Returns the same bytes, ending with 413 beyond the limit, and otherwise once the form around them has been
 * read and is valid.
 */
function limited({ source, maxBytes, stalled, whole }: Source): Readable {
  let total = 0
  const counted = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      total += chunk.length
      if (total > maxBytes) return done(PayloadTooLarge(`file: must be at most ${maxBytes} bytes`))
      done(null, chunk)
    },
    flush: callbackify(async () => whole),
  })
  // The reader receives the error. If the request was refused before the stream was read, there is no reader,
  // and nothing was lost.
  counted.on('error', () => {})
  stalled.catch((error: Error) => counted.destroy(error))
  source.pipe(counted)
  // If the reader gives up, the source is not destroyed: the rest of the body could not be drained then.
  counted.once('close', () => source.unpipe(counted))
  finished(
    source,
    { writable: false },
    (error) => error && counted.destroy(whole ? formProblem(error) : error),
  )
  return counted
}

function bound({ value, issue }: { readonly value?: unknown; readonly issue?: string | undefined }): unknown {
  if (issue !== undefined) throw BadRequest(issue)
  return value
}
