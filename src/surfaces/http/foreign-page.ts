import type { FastifyRequest } from 'fastify'
import { Forbidden } from '../../core/problem.ts'
import { isOwnOrigin } from './own-site.ts'

/**
 * Refuses a changing request that a browser sends for a page of another origin. A request with an
 * `Authorization` header needs no check: a foreign page has no token, and a browser adds none by itself. A
 * client that is not a browser sends none of the headers.
 */
export function refuseForeignPage(request: FastifyRequest): void {
  const { method, headers } = request
  if (method === 'GET' || headers.authorization !== undefined) return
  const site = headers['sec-fetch-site']
  // no script can set it, and it is valid even if a proxy has changed the host
  if (site === 'same-origin') return
  const { origin } = headers
  if (
    site === 'cross-site' ||
    site === 'same-site' ||
    (origin !== undefined && !isOwnOrigin(origin, request))
  )
    throw Forbidden('This request came from a page of another site')
}
