import type { FastifyRequest } from 'fastify'
import { createHash } from 'node:crypto'
import { pipeline, Readable, Transform, Writable } from 'node:stream'
import { pipeline as finished } from 'node:stream/promises'
import type { Idempotency, StreamedContent } from '../../changes/idempotency.ts'
import type { Upload } from '../../core/endpoint.ts'
import { BadRequest } from '../../core/problem.ts'
import type { Route } from '../routes.ts'
import type { Scope } from './scope.ts'

/**
 * Identifies a repeat of this request, if it has a key. The file of an upload is hashed while the step that
 * stores it reads it.
 */
export function idempotencyOf(
  { endpoint }: Route,
  request: FastifyRequest,
  scope: Scope,
): Idempotency | undefined {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key))
    throw BadRequest('Idempotency-Key: must be 1 to 200 visible ASCII characters')
  if (scope.callerIfAny === undefined) return undefined
  const digest = (body: string) =>
    createHash('sha256').update(`${endpoint.method} ${request.url}\n${body}`).digest('hex')
  if (!isUpload(scope.body))
    return { key, digest: digest(typeof request.body === 'string' ? request.body : '') }
  const { fields, fileName, stream } = scope.body
  const content = digested(stream, scope)
  scope.body = { fields, fileName, stream: content.stream } satisfies Upload<unknown>
  return { key, digest: digest(JSON.stringify([fields, fileName])), content }
}

/** True if a bound body is an incoming file. */
export const isUpload = (body: unknown): body is Upload<unknown> =>
  body instanceof Object && 'stream' in body && body.stream instanceof Readable

/** The same bytes, with their digest once they have been read. */
function digested(source: Readable, scope: Scope): StreamedContent & { readonly stream: Readable } {
  const hash = createHash('sha256')
  let digest: string | undefined
  const stream = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      hash.update(chunk)
      done(null, chunk)
    },
    flush: (done) => {
      digest = hash.digest('hex')
      done()
    },
  })
  pipeline(source, stream, () => {}) // the reader of the stream receives the error
  const read = async () => {
    const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
    try {
      await finished(stream, nowhere, { signal: scope.signal })
    } catch (error) {
      scope.signal.throwIfAborted() // throws the reason of the abort instead of the error of the stream
      throw error
    }
    return digest
  }
  // the digest can be complete before the last bytes have been read
  return { stream, digest: () => (stream.readableEnded ? digest : undefined), read }
}
