import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'

/** Answers the page of the web panel for a path that is no file and no endpoint; undefined when there is none. */
export type Page = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

/** Serves the built web panel: hashed files for ever, the page with a fresh nonce each time. */
export async function serveWebPanel(
  app: FastifyInstance,
  directory: string,
  indexHtml: string,
): Promise<Page> {
  await app.register(fastifyStatic, {
    root: directory,
    prefix: '/',
    wildcard: false,
    index: false,
    decorateReply: false,
    globIgnore: ['index.html'],
    setHeaders: (answer: Pick<FastifyReply, 'header'>, path: string) => {
      void answer.header(
        'cache-control',
        path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      )
    },
  } as never)
  return (request, reply) => {
    const path = request.url.split('?')[0] as string
    if (request.method !== 'GET' || /^\/(?:api|assets)(?:\/|$)/.test(path)) return undefined
    const nonce = randomBytes(16).toString('base64')
    void reply.header('content-security-policy', policy(nonce)).header('cache-control', 'no-store')
    return reply.code(200).type('text/html; charset=utf-8').send(indexHtml.replaceAll('__CSP_NONCE__', nonce))
  }
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
