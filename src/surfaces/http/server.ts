import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { randomBytes } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { Server as TlsServer } from 'node:tls'
import type { Log } from '../../core/endpoint.ts'
import { Busy, NotFound, retryAfter, Unavailable } from '../../core/problem.ts'
import type { Route } from '../routes.ts'
import { leaveBodies } from './body.ts'
import { noteConnections } from './connections.ts'
import { failureOf, sendFailure } from './errors.ts'
import { type IntakeOptions, openIntake } from './intake.ts'
import { noteLocalPeers, type PeerUid } from './local-peer.ts'
import { answerMalformed, connectionLimits, mostConnections, refuseAmbiguous } from './malformed.ts'
import { fastifyProblem, type Gates, mount } from './mount.ts'
import { type Allowed, allowedMethods, notAllowed } from './paths.ts'
import { observe } from './requests.ts'
import { protect } from './security-headers.ts'
import { isWebSocket, takeUpgrades } from './sockets.ts'
import type { Page } from './web-panel.ts'

/** The content that the HTTP surface serves. */
export interface HttpOptions {
  readonly routes: readonly Route[]
  readonly gates: Gates
  readonly trustedProxies: readonly string[]
  /** Tells the accounts of this host apart; absent, all of them are believed alike. */
  readonly peerUid?: PeerUid
  readonly accessLog: Log
  readonly intake?: IntakeOptions
  /** Certificate and key of the panel, if it serves HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string }
  /**
   * Further plain routes: probes, documents, and the web panel, which serves its page for paths without a
   * route.
   */
  readonly extra?: (app: FastifyInstance) => Promise<Page | undefined>
}

/** The HTTP surface, made from the route table alone. */
export interface HttpSurface {
  readonly app: FastifyInstance
  /** Handles requests that arrive on another listener, such as the unix socket. */
  readonly listener: RequestListener
  /** Responds to requests that the parser of another listener rejects. */
  readonly answerMalformed: ReturnType<typeof answerMalformed>
  /** Serves connections that are opened from now on with this certificate. */
  useCertificate(pair: { readonly cert: string; readonly key: string }): void
  /** Stops accepting requests on all listeners, waits for those that end in time, and closes the rest. */
  stop(graceMs: number, others?: readonly Server[]): Promise<void>
}

type Server = FastifyInstance['server']

const longestRequestMs = 21_600_000

/** Builds the surface; the caller starts listening. */
export async function openHttp(options: HttpOptions): Promise<HttpSurface> {
  const newId = requestIds()
  const malformed = answerMalformed(newId)
  const connections = { ...connectionLimits, shouldUpgradeCallback: isWebSocket }
  const app = Fastify({
    logger: false,
    genReqId: newId,
    clientErrorHandler: malformed,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 4096, caseSensitive: true },
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: { buildValidator: noCompiler, buildSerializer: noCompiler } },
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendFailure(reply, failureOf(fastifyProblem(error), request.id), 'coded'),
    keepAliveTimeout: 65_000,
    requestTimeout: longestRequestMs,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    ...(options.tls
      ? { https: { ...options.tls, minVersion: 'TLSv1.2', ...connections } }
      : { http: connections }),
  } as object) as unknown as FastifyInstance
  noteLocalPeers(app, options.peerUid)
  for (const name of ['visitor', 'caller', 'tokenUserId']) app.decorateRequest(name, undefined)
  const shared = { intake: openIntake(options.intake), methodsOf: allowedMethods(options.routes) }
  leaveBodies(app, shared.intake)
  app.server.maxConnections = mostConnections
  noteConnections(app.server)
  protect(app)
  refuseAmbiguous(app)
  observe(app, options.accessLog)
  const stopping = { hasBegun: false }
  endConnections(app, stopping)
  for (const route of options.routes) mount(app, route, options.gates, shared)
  answerTheRest(app, options, shared.methodsOf, await options.extra?.(app))
  const deadlines = setInterval(() => endOverdue(options.gates), 1000).unref()
  takeUpgrades(app)
  await app.ready()
  return {
    app,
    listener: (request, response) => app.routing(request, response),
    answerMalformed: malformed,
    useCertificate: (pair) => replaceCertificate(app.server, pair),
    stop: async (graceMs, others = []) => {
      clearInterval(deadlines)
      stopping.hasBegun = true
      await stop([app.server, ...others], options.gates, { graceMs, close: () => app.close() })
    },
  }
}

/** Open connections keep the former certificate. */
function replaceCertificate(server: Server, pair: { readonly cert: string; readonly key: string }): void {
  if (server instanceof TlsServer) server.setSecureContext({ ...pair, minVersion: 'TLSv1.2' })
}

/** Endpoints bind and check by themselves: Fastify's own compilers are never loaded. */
function noCompiler(): never {
  throw new Error('no route has a schema of Fastify')
}

/** Responds to unknown paths with 404 and to known ones with another method with 405 (decision 1.1). */
function answerTheRest(
  app: FastifyInstance,
  { gates }: HttpOptions,
  methodsOf: (path: string) => Allowed,
  page: Page | undefined,
): void {
  const answer = (request: FastifyRequest, reply: FastifyReply) => {
    const { methods, isPlain } = methodsOf(request.url.split('?')[0] as string)
    if (methods.length === 0)
      return (
        page?.(request, reply) ??
        sendFailure(reply, failureOf(NotFound('There is nothing at this path'), request.id), 'coded')
      )
    if (isPlain)
      return reply
        .code(405)
        .header('allow', methods.join(', '))
        .type('text/plain; charset=utf-8')
        .send('Method Not Allowed\n')
    return sendFailure(reply, failureOf(notAllowed(methods), request.id), 'coded')
  }
  // before a body is read: an unknown path is a 404 however large the body is
  app.addHook('onRequest', (request, reply, done) => (request.is404 ? void answer(request, reply) : done()))
  app.setNotFoundHandler(answer)
  app.setErrorHandler((error, request, reply) => {
    const failure = failureOf(fastifyProblem(error), request.id)
    if (failure.bug !== undefined)
      gates.log.error({ err: failure.bug, requestId: request.id }, 'a request failed')
    return sendFailure(reply, failure, 'coded')
  })
}

function requestIds(): () => string {
  const prefix = randomBytes(5).toString('hex')
  let count = 0
  return () => `${prefix}-${(count += 1).toString(36)}`
}

function endOverdue({ running }: Gates): void {
  const now = performance.now()
  for (const { scope, deadline, answerLate } of running) {
    if (deadline >= now) continue
    const problem = Unavailable('The time limit of this request was reached')
    scope.end(problem)
    answerLate?.(problem)
  }
}

/** Closes connections after their current response while the panel stops; keep-alive would hold them open. */
function endConnections(app: FastifyInstance, stopping: { readonly hasBegun: boolean }): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!stopping.hasBegun) return done()
    const problem = Busy('The panel is stopping: try again', retryAfter(5))
    sendFailure(reply, failureOf(problem, request.id), 'coded')
  })
  app.addHook('onResponse', (request, _reply, done) => {
    if (stopping.hasBegun) request.raw.socket.destroySoon()
    done()
  })
}

interface Stopping {
  readonly graceMs: number
  /** Closes the Fastify server and all that was opened for it. */
  readonly close: () => Promise<void>
}

async function stop(servers: readonly Server[], { running }: Gates, stopping: Stopping): Promise<void> {
  for (const { scope, isEndless } of running) if (isEndless) scope.end(Unavailable('The panel is stopping'))
  const late = setTimeout(() => {
    for (const { scope } of running) scope.end(Unavailable('The panel is stopping'))
    for (const server of servers) server.closeAllConnections()
  }, stopping.graceMs)
  // an idle keep-alive connection stays open, and closing would wait for it
  const idle = setInterval(() => servers.forEach((server) => server.closeIdleConnections()), closeIdleMs)
  await Promise.all([stopping.close(), ...servers.slice(1).map(closed)])
  clearTimeout(late)
  clearInterval(idle)
  // changes whose callers have disconnected
  for (const { scope } of running) scope.end(Unavailable('The panel is stopping'))
}

const closeIdleMs = 20

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
