import type { FastifyInstance } from 'fastify'

/**
 * Headers of every response: nothing is framed, sniffed, cached or sent as a referrer; only the panel's own
 * page may run scripts.
 */
export function protect(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    // none on `reply.raw`: Node would then check and store each header of the response twice
    void reply.headers(standardHeaders).header('x-request-id', request.id)
    done()
  })
}

/** Returns the headers of every response, including those to requests that the parser rejects. */
export const standardHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cache-control': 'no-store',
}
