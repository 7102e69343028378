import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, type ClientRequest, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import type { Figure } from '../figures.ts'
import type { Held } from './panel-process.ts'

const callers = 200
const warmUp = 20
const limitMs = 15_000
const panel = fileURLToPath(new URL('./panel-process.ts', import.meta.url))

/** The memory that callers of one job cost while they wait for it: as followers of its events, and for its reply. */
export async function measureWork(): Promise<readonly Figure[]> {
  return [
    await figureOf('followers of one job', '/packed/events', 20),
    await figureOf('awaited requests of one job', '/packed', 10),
  ]
}

/** Each figure has a process of its own: what the first callers left would be held for the second. */
async function figureOf(what: string, path: string, bound: number): Promise<Figure> {
  const child = fork(panel, { execArgv: ['--expose-gc'], stdio: 'inherit' })
  try {
    const [port] = await once(child, 'message')
    const leave = call(Number(port), path, warmUp)
    const before = await heldBy(child, warmUp)
    const leaveToo = call(Number(port), path, callers)
    const after = await heldBy(child, warmUp + callers)
    for (const stop of [leave, leaveToo]) stop()
    const resident = megabytes(after.residentBytes - before.residentBytes)
    return {
      what: `work: ${callers} ${what}`,
      value: megabytes(after.heapBytes - before.heapBytes),
      unit: 'MB',
      bound,
      loose: bound,
      detail: `heap after a collection; resident ${resident.toFixed(1)} MB more`,
    }
  } finally {
    child.kill('SIGKILL')
  }
}

const megabytes = (bytes: number): number => bytes / 1024 ** 2

/** Sends requests that join the same work; returns the function that closes them. */
function call(port: number, path: string, count: number): () => void {
  const agent = new Agent({ maxSockets: count })
  const headers = {
    authorization: 'Bearer ada',
    'idempotency-key': 'one-job',
    'content-type': 'application/json',
  }
  const sent: ClientRequest[] = []
  for (let each = 0; each < count; each++) {
    const call = request({
      port,
      agent,
      host: '127.0.0.1',
      method: 'POST',
      path: `/api/boxes${path}`,
      headers,
    })
    call.on('response', (answer) => answer.on('error', () => {}).resume()).on('error', () => {})
    call.end('{"label":"box"}')
    sent.push(call)
  }
  return () => {
    for (const each of sent) each.destroy()
  }
}

/** Measures once as many requests wait as were sent. */
async function heldBy(child: ChildProcess, requests: number): Promise<Held> {
  let seen = 0
  for (const end = performance.now() + limitMs; performance.now() < end;) {
    child.send('measure')
    const [held] = (await once(child, 'message')) as [Held]
    if (held.requests === requests) return held
    seen = held.requests
  }
  throw new Error(`after ${limitMs} ms ${seen} requests wait instead of ${requests}`)
}
