import type { FastifyInstance } from 'fastify'
import { timingSafeEqual } from 'node:crypto'
import { collectDefaultMetrics } from 'prom-client'
import { Unauthorized } from '../../core/problem.ts'
import { failureOf, sendFailure } from './errors.ts'
import { isDirectLoopback } from './own-site.ts'
import { registry } from './requests.ts'

interface ProbeOptions {
  /** Rejects when the panel cannot answer requests now. */
  readonly ready: () => Promise<unknown>
  /** What /metrics takes as a bearer token from other than loopback addresses; empty: nothing. */
  readonly metricsToken: string
}

/** /healthz: the process answers. /readyz: the store answers too. /metrics: Prometheus, for loopback or a token. */
export function probe(app: FastifyInstance, { ready, metricsToken }: ProbeOptions): void {
  collectDefaultMetrics({ register: registry })
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    try {
      await ready()
      return { status: 'ready' }
    } catch {
      return reply.code(503).send({ status: 'not ready' })
    }
  })
  app.get('/metrics', async (request, reply) => {
    if (!isDirectLoopback(request) && !matches(request.headers.authorization, metricsToken))
      return sendFailure(reply, failureOf(Unauthorized(), request.id), 'coded')
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

function matches(authorization: string | undefined, token: string): boolean {
  const given = Buffer.from(authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return token !== '' && given.length === wanted.length && timingSafeEqual(given, wanted)
}
