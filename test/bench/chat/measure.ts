import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type Figure, median } from '../figures.ts'
import type { Held, Ready } from './panel-process.ts'

const chats = 50
const warmUp = 5
const [parts, partsShort] = [1000, 300]
const limitMs = 15_000
const script = fileURLToPath(new URL('./panel-process.ts', import.meta.url))

/** The time that a part of an answer takes from the gateway to a reader, and the memory of chats that go on. */
export async function measureChat(isShort: boolean): Promise<readonly Figure[]> {
  const child = fork(script, { execArgv: ['--expose-gc'], stdio: 'inherit' })
  try {
    const [ready] = (await once(child, 'message')) as [Ready]
    return [await delay(child, ready, isShort ? partsShort : parts), await memory(child, ready)]
  } finally {
    child.kill()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

/** The stand-in for the gateway and the reader are a part of the time. */
async function delay(child: ChildProcess, ready: Ready, count: number): Promise<Figure> {
  const [answer] = (await once(openChat(ready), 'response')) as [IncomingMessage]
  const times: number[] = []
  for await (const text of answer.setEncoding('utf8')) {
    const arrivedAt = process.hrtime.bigint()
    if (!String(text).includes('"chunk"')) continue
    const saidAt = /"content":"(\d+)"/.exec(String(text))?.[1]
    if (saidAt !== undefined) times.push(Number(arrivedAt - BigInt(saidAt)) / 1e6)
    if (times.length === count) break
    child.send('speak')
  }
  const slow = times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.95)] ?? 0
  return {
    what: 'chat: a part of an answer',
    value: median(times),
    unit: 'ms',
    bound: 2,
    loose: 4,
    detail: `95 of 100 within ${slow.toFixed(2)} ms, with the stand-in for the gateway`,
  }
}

/** The stand-in for the gateway is in the same process: its end of each connection counts too. */
async function memory(child: ChildProcess, ready: Ready): Promise<Figure> {
  const early = openChats(ready, warmUp)
  const before = await heldBy(child, warmUp)
  const late = openChats(ready, chats)
  const after = await heldBy(child, warmUp + chats)
  for (const each of [...early, ...late]) each.destroy()
  const resident = megabytes(after.residentBytes - before.residentBytes)
  return {
    what: `chat: ${chats} chats`,
    value: megabytes(after.heapBytes - before.heapBytes),
    unit: 'MB',
    bound: 20,
    loose: 20,
    detail: `heap after a collection; resident ${resident.toFixed(1)} MB more`,
  }
}

const megabytes = (bytes: number): number => bytes / 1024 ** 2

const openChats = (ready: Ready, count: number): readonly ClientRequest[] =>
  Array.from({ length: count }, () =>
    openChat(ready).on('response', (answer) => answer.on('error', () => {}).resume()),
  )

function openChat({ port, token }: Ready): ClientRequest {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const asked = request({ port, host: '127.0.0.1', method: 'POST', path: '/api/ai/chat-stream', headers })
  asked.on('error', () => {})
  asked.end('{"message":"Go on"}')
  return asked
}

/** Measures once as many chats go on as were opened. */
async function heldBy(child: ChildProcess, wanted: number): Promise<Held> {
  let seen = 0
  for (const end = performance.now() + limitMs; performance.now() < end;) {
    child.send('measure')
    const [held] = (await once(child, 'message')) as [Held]
    if (held.chats === wanted) return held
    seen = held.chats
  }
  throw new Error(`after ${limitMs} ms ${seen} chats go on instead of ${wanted}`)
}
