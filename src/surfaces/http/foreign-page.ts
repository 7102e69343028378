import type { FastifyRequest } from 'fastify'
import { Forbidden } from '../../core/problem.ts'
import { isOwnOrigin } from './own-site.ts'

/**
 * Refuses a changing request that a page of another origin made a browser send. A request with an `Authorization` header needs no
 * check: a foreign page has no token, and a browser adds none by itself. A client that is no browser sends none of the headers.
 */
export function refuseForeignPage(request: FastifyRequest): void {
  const { method, headers } = request
  if (method === 'GET' || headers.authorization !== undefined) return
  const site = headers['sec-fetch-site']
  if (site === 'same-origin') return // no script can set it, and it holds where a proxy has changed the host
  const { origin } = headers
  if (
    site === 'cross-site' ||
    site === 'same-site' ||
    (origin !== undefined && !isOwnOrigin(origin, request))
  )
    throw Forbidden('This request came from a page of another site')
}
