import type { FastifyReply, FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { accepts, type ContentEncoding } from './content-encoding.ts'

/** Sends the page or a file of the web panel for a path without an endpoint; undefined if there is none. */
export type Page = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/** A built file of the web panel. */
export interface Asset {
  readonly type: string
  /** Absent for a file whose name contains its digest: it never changes. */
  readonly etag: string | undefined
  /** The available compressed versions, the smallest first. */
  readonly encodings: readonly ContentEncoding[]
  open(encoding: ContentEncoding | undefined): { readonly stream: Readable; readonly sizeBytes: number }
}

/** Serves the built web panel: hashed files are cached forever, the page gets a fresh nonce each time. */
export function serveWebPanel(assets: ReadonlyMap<string, Asset>, indexHtml: string): Page {
  return (request, reply) => {
    if (request.method !== 'GET') return undefined
    const path = request.url.split('?')[0] as string
    const asset = assets.get(path)
    if (asset !== undefined) return sendAsset(asset, request, reply)
    if (/^\/(?:api|assets)(?:\/|$)/.test(path)) return undefined
    const nonce = randomBytes(16).toString('base64')
    void reply.header('content-security-policy', policy(nonce)).header('cache-control', 'no-store')
    return reply.code(200).type('text/html; charset=utf-8').send(indexHtml.replaceAll('__CSP_NONCE__', nonce))
  }
}

function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { etag, type, encodings } = asset
  void reply.header('cache-control', etag === undefined ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (etag !== undefined) void reply.header('etag', etag)
  if (encodings.length > 0) void reply.header('vary', 'accept-encoding')
  if (etag !== undefined && request.headers['if-none-match'] === etag) return reply.code(304).send()
  const encoding = encodings.find((each) => accepts(request.headers['accept-encoding'], each))
  if (encoding !== undefined) void reply.header('content-encoding', encoding)
  const { stream, sizeBytes } = asset.open(encoding)
  return reply.code(200).type(type).header('content-length', sizeBytes).send(stream)
}

function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
