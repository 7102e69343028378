import { ipv4Form } from '../../core/ipv4-form.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { networkInterfaces } from 'node:os'

type Socket = FastifyRequest['raw']['socket']

/** Finds the uid of the account that opened a connection over loopback; undefined for any other. */
export type PeerUid = (connection: Socket) => Promise<number | undefined>

/** Accounts of the system, which reverse proxies run as; hosting users are above. */
const lastSystemUid = 999

const forwarded = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'] as const

declare module 'fastify' {
  interface FastifyRequest {
    localUid: number | undefined
  }
}

/**
 * Tells the accounts of this host apart, which all come from loopback. A proxy on this host is believed only if it runs as
 * root or an account of the system (RFC 7239, 8.1): any hosting user can send its headers.
 */
export function noteLocalPeers(app: FastifyInstance, peerUid: PeerUid | undefined): void {
  app.decorateRequest('localUid', undefined)
  if (peerUid === undefined) return
  const known = new WeakMap<Socket, Promise<number | undefined>>()
  const uidOf = (socket: Socket) => {
    const found = known.get(socket) ?? peerUid(socket)
    known.set(socket, found)
    return found
  }
  app.addHook('onRequest', async (request) => {
    const { socket, headers } = request.raw
    const isForwarded = forwarded.some((name) => headers[name] !== undefined)
    if (!isLoopback(socket.remoteAddress) || !(isForwarded || countsAttempts(request))) return
    const uid = await uidOf(socket)
    if (uid === undefined || uid > lastSystemUid) for (const name of forwarded) delete headers[name]
    if (headers['x-forwarded-for'] === undefined) request.localUid = uid
  })
}

/** True for a request over a connection from another host, without a proxy in between; the kernel takes those to its own addresses over loopback. */
export function isDirect({ ip, socket: { remoteAddress } }: FastifyRequest): boolean {
  if (remoteAddress === undefined || isLoopback(remoteAddress) || ip !== remoteAddress) return false
  const plain = ipv4Form(remoteAddress)
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return own.every(({ address }) => address !== plain)
}

/** Routes that declare it count attempts by their source. */
const countsAttempts = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.config.countsAttempts === true

const isLoopback = (address = ''): boolean => address === '::1' || ipv4Form(address).startsWith('127.')
