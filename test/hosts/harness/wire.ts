import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { Socket, connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { namespacePath } from './network.ts'

const answerLimitMs = 60_000

/** Connections that start inside a host's network namespace, so that its loopback and its neighbours can be reached. */
export class Wire {
  readonly #socketPath: string
  readonly #namespace: string
  #relay: Promise<ChildProcess> | undefined

  readonly #cgroup: string

  constructor(socketPath: string, namespace: string, cgroup: string) {
    this.#socketPath = socketPath
    this.#cgroup = cgroup
    this.#namespace = namespace
  }

  /** Opens a TCP connection from inside the host; rejects with the reason when nothing listens or no cable leads there. */
  async connect(port: number, address: string): Promise<Socket> {
    this.#relay ??= this.#startRelay()
    await this.#relay
    const socket = connect({ path: this.#socketPath, allowHalfOpen: true })
    const timer = setTimeout(
      () => socket.destroy(new Error(`no connection to ${address} port ${port} within ${answerLimitMs} ms`)),
      answerLimitMs,
    )
    try {
      await once(socket, 'connect')
      socket.write(`${port} ${address}\n`)
      const answer = await firstLine(socket)
      if (answer === 'ok') return socket
      socket.destroy()
      throw new Error(answer)
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    const relay = await this.#relay
    this.#relay = undefined
    if (relay === undefined) return
    const ended = once(relay, 'exit')
    if (relay.exitCode === null) relay.kill('SIGKILL')
    if (relay.exitCode === null && relay.signalCode === null) await ended
    await rm(this.#socketPath, { force: true })
  }

  async #startRelay(): Promise<ChildProcess> {
    const program = fileURLToPath(new URL('relay.ts', import.meta.url))
    const argv = [
      `--net=${namespacePath(this.#namespace)}`,
      '--',
      process.execPath,
      program,
      this.#socketPath,
    ]
    const relay = spawn('nsenter', argv, { stdio: ['pipe', 'pipe', 'inherit'], detached: true }) // detached: Ctrl-C is ours to answer
    await writeFile(join(this.#cgroup, 'cgroup.procs'), String(relay.pid)) // so that it ends with the run, whatever happens here
    const isUp = await Promise.race([
      once(relay.stdout, 'data').then(() => true),
      once(relay, 'exit').then(() => false),
    ])
    if (!isUp) throw new Error(`the relay into ${this.#namespace} did not start`)
    relay.unref()
    for (const pipe of [relay.stdin, relay.stdout]) if (pipe instanceof Socket) pipe.unref() // a waiting relay keeps no test process alive
    return relay
  }
}

// Reads without letting the stream flow, so that what follows the line waits for whoever uses the connection.
async function firstLine(socket: Socket): Promise<string> {
  await once(socket, 'readable')
  const chunk = (socket.read() as Buffer | null) ?? Buffer.from('the relay hung up\n')
  const end = chunk.indexOf('\n')
  const rest = chunk.subarray(end + 1)
  if (rest.length > 0) socket.unshift(rest)
  return chunk.subarray(0, end).toString('utf8')
}
