import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Socket } from 'node:net'
import { BadRequest, problem, RequestTimeout } from '../../core/problem.ts'
import { standardHeaders } from './security-headers.ts'

/**
 * The time limit for the headers of a connection, how often it is checked, and the maximum number of
 * connections.
 */
export const connectionLimits = { headersTimeout: 20_000, connectionsCheckingInterval: 5000 }
export const mostConnections = 3000

/** The refusal of the parser, before the path is known. */
export const HeadersTooLarge = problem(
  'bad_request',
  431,
  'The headers of the request are larger than 16 KiB: send fewer or shorter ones',
)
const headersLate = RequestTimeout('The request did not arrive in time')
const notHttp = BadRequest('The request is not valid HTTP/1.1')

const reasons: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

/**
 * Responds to requests that the HTTP parser rejects like every other refusal: with the envelope, a request id
 * and the usual headers.
 */
export function answerMalformed(newId: () => string) {
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    if (socket.writable) socket.write(responseTo(error.code, newId()))
    socket.destroySoon()
  }
}

function responseTo(code: string | undefined, id: string): string {
  const { kind, message } =
    code === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? headersLate
      : code === 'HPE_HEADER_OVERFLOW'
        ? HeadersTooLarge()
        : notHttp
  const body = JSON.stringify({ error: { code: kind.code, message } })
  const headers = {
    ...standardHeaders,
    'x-request-id': id,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${kind.status} ${reasons[kind.status]}\r\n${lines.join('')}\r\n${body}`
}

/**
 * Refuses requests that the parser accepts against RFC 9112: two Host lines (section 3.2), and a version that
 * this connection does not support.
 */
export function refuseAmbiguous(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const why = ambiguity(request.raw)
    done(why === undefined ? undefined : BadRequest(why))
  })
}

function ambiguity({ httpVersionMajor, rawHeaders }: FastifyRequest['raw']): string | undefined {
  if (httpVersionMajor !== 1) return 'The request line names another version than HTTP/1.1'
  return countHosts(rawHeaders) > 1 ? 'Host: is sent more than once' : undefined
}

/** Runs for each request: nothing is allocated but for names as long as `Host`. */
function countHosts(namesAndValues: readonly string[]): number {
  let count = 0
  for (let at = 0; at < namesAndValues.length; at += 2) {
    const name = namesAndValues[at] as string
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}
