import type { FastifyInstance } from 'fastify'
import type { Log } from '../../core/endpoint.ts'

const startedAt = Symbol('startedAt')

/** What has been answered, for /metrics. */
export const answers = {
  counts: new Map<string, { readonly method: string; readonly status: number; count: number }>(),
  /** How many took up to so many seconds, and longer than the bound before. */
  times: [0.005, 0.02, 0.1, 0.5, 2, 10].map((bound) => ({ bound, count: 0 })),
  total: 0,
  seconds: 0,
}

function countAnswer(method: string, status: number, seconds: number): void {
  const key = `${method} ${status}`
  let counter = answers.counts.get(key)
  if (counter === undefined) answers.counts.set(key, (counter = { method, status, count: 0 }))
  counter.count += 1
  answers.total += 1
  answers.seconds += seconds
  const time = answers.times.find(({ bound }) => seconds <= bound)
  if (time !== undefined) time.count += 1
}

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
    countAnswer(request.method, reply.statusCode, ms / 1000)
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
