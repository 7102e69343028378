import type { FastifyInstance } from 'fastify'

/** Headers of every answer: nothing is framed, sniffed, cached or sent on as a referrer; only the panel's own page may run scripts. */
export function protect(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(headers)
    reply.raw.setHeader('x-request-id', request.id)
    done()
  })
}

const headers = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': 'no-store',
}
