import type { FastifyInstance } from 'fastify'
import { timingSafeEqual } from 'node:crypto'
import { Unauthorized } from '../../core/problem.ts'
import { failureOf, sendFailure } from './errors.ts'
import { readMetrics } from './metrics.ts'
import { isDirectLoopback } from './own-site.ts'

interface ProbeOptions {
  /** Rejects if the panel cannot answer requests at the moment. */
  readonly ready: () => Promise<unknown>
  /** The bearer token of /metrics for addresses other than loopback; if it is empty, they are refused. */
  readonly metricsToken: string
}

/**
 * Serves /healthz (the process responds), /readyz (the store responds too) and /metrics (Prometheus, for
 * loopback or a token).
 */
export function probe(app: FastifyInstance, { ready, metricsToken }: ProbeOptions): void {
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
    const { type, text } = await readMetrics()
    return reply.type(type).send(text)
  })
}

function matches(authorization: string | undefined, token: string): boolean {
  const given = Buffer.from(authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return token !== '' && given.length === wanted.length && timingSafeEqual(given, wanted)
}
