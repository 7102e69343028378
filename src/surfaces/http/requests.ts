import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, Registry } from 'prom-client'
import type { Log } from '../../core/endpoint.ts'

const startedAt = Symbol('startedAt')

/** The panel's own measurements, for /metrics. */
export const registry = new Registry()
const answered = new Counter({
  name: 'hostreeve_http_requests_total',
  help: 'Requests answered',
  labelNames: ['method', 'status'],
  registers: [registry],
})
const durations = new Histogram({
  name: 'hostreeve_http_request_seconds',
  help: 'Time to answer',
  buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
  registers: [registry],
})

/** Counts an answer; each pair of labels is checked and hashed once. */
const countAnswer = (() => {
  const counters = new Map<string, { inc(): void }>()
  return (method: string, status: number): void => {
    const key = `${method} ${status}`
    let counter = counters.get(key)
    if (counter === undefined) counters.set(key, (counter = answered.labels(method, String(status))))
    counter.inc()
  }
})()

/** Logs each request on one line: method, path without its query, status, time, user. */
export function observe(app: FastifyInstance, log: Log): void {
  app.addHook('onRequest', (request, _reply, done) => {
    ;(request.raw as unknown as Record<symbol, number>)[startedAt] = performance.now()
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const ms = performance.now() - ((request.raw as unknown as Record<symbol, number>)[startedAt] ?? 0)
    const query = request.url.indexOf('?')
    const path = query < 0 ? request.url : request.url.slice(0, query)
    countAnswer(request.method, reply.statusCode)
    durations.observe(ms / 1000)
    log.info(
      {
        requestId: request.id,
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(ms * 10) / 10,
        userId: request.caller?.user.id,
      },
      'answered',
    )
    done()
  })
}
