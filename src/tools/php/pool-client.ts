import { once } from 'node:events'
import { connect } from 'node:net'
import { generationPath } from './render-pool.ts'

// The FastCGI specification, version 1, section 8
const types = { begin: 1, end: 3, params: 4, stdin: 5, stdout: 6 } as const
const headerBytes = 8
const responder = Buffer.from([0, 1, 0, 0, 0, 0, 0, 0])
const maxBytes = 64 * 1024

/** Asks a pool for its generation; undefined if it does not answer in time. */
export async function askGeneration(socketPath: string, limitMs: number): Promise<string | undefined> {
  const socket = connect(socketPath)
  const signal = AbortSignal.timeout(limitMs)
  try {
    await once(socket, 'connect', { signal })
    socket.write(request())
    let received = Buffer.alloc(0)
    while (received.length < maxBytes) {
      const answer = outputOf(received)
      if (answer !== undefined) return /\r?\n\r?\n([0-9a-f]{16})$/.exec(answer)?.[1]
      const [chunk]: Buffer[] = await once(socket, 'data', { signal })
      if (chunk !== undefined) received = Buffer.concat([received, chunk])
    }
    return undefined
  } catch {
    return undefined // no socket, nobody at it, or no answer in time
  } finally {
    socket.on('error', () => {}).destroy()
  }
}

function request(): Buffer {
  const params = { SCRIPT_NAME: generationPath, SCRIPT_FILENAME: generationPath, REQUEST_METHOD: 'GET' }
  const pairs = Object.entries(params).map(([name, value]) =>
    Buffer.concat([Buffer.from([name.length, value.length]), Buffer.from(name + value)]),
  )
  return Buffer.concat([
    record(types.begin, responder),
    record(types.params, Buffer.concat(pairs)),
    record(types.params, Buffer.alloc(0)),
    record(types.stdin, Buffer.alloc(0)),
  ])
}

function record(type: number, content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from([1, type, 0, 1, content.length >> 8, content.length & 255, 0, 0]),
    content,
  ])
}

/** The output of a complete answer; undefined while parts are missing. */
function outputOf(received: Buffer): string | undefined {
  let output = ''
  let at = 0
  while (at + headerBytes <= received.length) {
    const end = at + headerBytes + received.readUInt16BE(at + 4)
    if (received[at + 1] === types.end) return output
    if (end > received.length) return undefined
    if (received[at + 1] === types.stdout) output += received.toString('utf8', at + headerBytes, end)
    at = end + (received[at + 6] ?? 0)
  }
  return undefined
}
