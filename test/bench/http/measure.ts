import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { text } from 'node:stream/consumers'
import { type Figure, median } from '../figures.ts'
import { sentNote } from './answers.ts'
import { type ServerProcess, startPanel, startServer } from './server-process.ts'

const autocannon = createRequire(import.meta.url).resolve('autocannon')

interface Load {
  readonly method: 'GET' | 'POST'
  readonly path: string
}

const get: Load = { method: 'GET', path: '/api/users/permission-slugs' }
const post: Load = { method: 'POST', path: '/api/bench/notes' }

/** CPU time of the panel's whole pipeline for each request, as a ratio to raw node:http under the same load. */
export async function measureHttp(isShort: boolean): Promise<readonly Figure[]> {
  const servers = {
    raw: await startServer(new URL('raw-server.ts', import.meta.url).pathname),
    panel: await startPanel(new URL('panel-server.ts', import.meta.url).pathname),
  }
  const size = isShort ? { rounds: 3, requests: 10_000 } : { rounds: 7, requests: 30_000 }
  try {
    return [
      await compare('GET through the pipeline / raw node:http (CPU)', get, servers, { ...size, bound: 2.5 }),
      await compare('validated POST / raw node:http (CPU)', post, servers, { ...size, bound: 3 }),
    ]
  } finally {
    await servers.raw.stop()
    await servers.panel.stop()
  }
}

interface Comparison {
  readonly rounds: number
  readonly requests: number
  readonly bound: number
}

async function compare(
  what: string,
  load: Load,
  { raw, panel }: { readonly raw: ServerProcess; readonly panel: ServerProcess },
  { rounds, requests, bound }: Comparison,
): Promise<Figure> {
  for (const server of [raw, panel]) await microsEach(server, load, requests)
  const pairs: { readonly raw: number; readonly panel: number }[] = []
  for (let round = 0; round < rounds; round++)
    pairs.push({ raw: await microsEach(raw, load, requests), panel: await microsEach(panel, load, requests) })
  const micros = {
    raw: median(pairs.map((pair) => pair.raw)),
    panel: median(pairs.map((pair) => pair.panel)),
  }
  const value = median(pairs.map((pair) => pair.panel / pair.raw))
  return {
    what,
    value,
    unit: 'x',
    bound,
    detail: `${micros.panel.toFixed(1)} µs against ${micros.raw.toFixed(1)} µs a request`,
  }
}

/** CPU microseconds that one request costs the server. */
async function microsEach(server: ServerProcess, load: Load, requests: number): Promise<number> {
  const before = await server.cpuMicros()
  await shoot(server, load, requests)
  return ((await server.cpuMicros()) - before) / requests
}

/** Sends the given number of requests from a separate process; fails unless each is answered with 2xx. */
async function shoot(server: ServerProcess, { method, path }: Load, requests: number): Promise<void> {
  const body =
    method === 'POST'
      ? ['--body', JSON.stringify(sentNote), '--headers', 'content-type=application/json']
      : []
  const args = [
    '--json',
    '--connections',
    '20',
    '--amount',
    String(requests),
    '--method',
    method,
    ...body,
    '--headers',
    `authorization=Bearer ${server.token || 'none'}`,
    `${server.url}${path}`,
  ]
  const child = spawn(process.execPath, [autocannon, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 120_000,
  })
  const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
  const result = JSON.parse(output) as { '2xx': number; errors: number }
  if (result['2xx'] !== requests || result.errors > 0)
    throw new Error(`${method} ${path}: only ${result['2xx']} of ${requests} requests were answered with 2xx`)
}
