import { ipv4Form } from '../../core/ipv4-form.ts'
import type { FastifyRequest } from 'fastify'
import { isIP } from 'node:net'
import type { Visitor } from '../../core/caller.ts'

export const refreshCookieName = 'hostreeve_refresh'

/**
 * Returns the visitor behind a request. The address is that of the connection unless it comes from a
 * configured proxy (Fastify's trustProxy).
 */
export function visitorOf(request: FastifyRequest): Visitor {
  const { headers } = request
  const cookie = headers.cookie ? readCookie(headers.cookie, refreshCookieName) : undefined
  const visitor = {
    ip: addressOf(request),
    ...(request.localUid !== undefined && { localUid: request.localUid }),
    userAgent: (headers['user-agent'] ?? '').slice(0, 300),
    requestId: request.id,
  }
  return cookie === undefined ? visitor : { ...visitor, refreshCookie: cookie }
}

/** Accepts the address from a proxy only if it is an IP address; a Unix socket has none. */
function addressOf({ ip, socket }: FastifyRequest): string {
  return ipv4Form(isIP(ip ?? '') === 0 ? (socket.remoteAddress ?? 'local') : ip)
}

function readCookie(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}
