import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../../../../test/support/until.ts'
import { openHost } from '../../../host/index.ts'
import { run } from '../../../host/run.ts'
import { ServiceFailed } from '../../../host/services.ts'
import { dnsdist, type DnsdistLayout, type DnsdistOptions, type DnsdistStarter } from '../index.ts'

/** A real dnsdist on loopback, before a name server that answers every query without records. */
export interface ScratchDnsdist {
  /** Returns the status that dig reports, such as NXDOMAIN; undefined if nothing was answered. */
  dig(name: string, from?: string): Promise<string | undefined>
  /** Sends that many queries at once from one socket, and waits for as many answers. */
  askTogether(count: number): Promise<void>
  /** Of its process. */
  readonly pid: number
  stop(): Promise<void>
}

/** Returns why tests with the real dnsdist are skipped here; false when they run. */
export function dnsdistSkipReason(): string | false {
  return spawnSync('dnsdist', ['--version']).status === 0 ? false : 'dnsdist is not installed'
}

/** Lets dnsdist check a configuration; returns its message, undefined if it accepts the text. */
export async function checkLua(directory: string, text: string): Promise<string | undefined> {
  const path = join(directory, 'checked.conf')
  await writeFile(path, text)
  const { code, stdout, stderr } = await run(['dnsdist', '--check-config', '-C', path], {
    timeoutMs: 60_000,
  })
  return code === 0 ? undefined : stderr + stdout
}

/** Starts dnsdist with these rules. */
export async function startScratchDnsdist(rules: string): Promise<ScratchDnsdist> {
  const directory = await mkdtemp(join(tmpdir(), 'hostreeve-dnsdist-'))
  const backend = await startNameServer()
  const port = await freePort()
  const path = join(directory, 'dnsdist.conf')
  const head = [
    `setLocal("127.0.0.1:${port}")`,
    'setACL({"127.0.0.0/8"})',
    'setSecurityPollSuffix("")',
    `newServer({address="127.0.0.1:${backend.address().port}", healthCheckMode="up"})`,
  ]
  await writeFile(path, [...head, rules].join('\n'))
  const child = spawn('dnsdist', ['--supervised', '--disable-syslog', '-C', path], { stdio: 'ignore' })
  const ended = once(child, 'exit')
  const dig = (name: string, from = '127.0.0.1') => digAt(port, name, from)
  await until(async () => child.exitCode !== null || (await dig('ready.example')) !== undefined)
  if (child.exitCode !== null) throw new Error(`dnsdist ended: ${(await checkLua(directory, rules)) ?? ''}`)
  return {
    dig,
    askTogether: (count) => askTogether(port, count),
    pid: child.pid!,
    stop: async () => {
      child.kill()
      if (child.exitCode === null) await ended
      backend.close()
      await rm(directory, { recursive: true })
    },
  }
}

/** A dnsdist that the panel drives, in a folder of its own. */
export interface DrivenDnsdist extends Omit<ScratchDnsdist, 'askTogether' | 'pid'> {
  readonly options: DnsdistOptions & { readonly layout: DnsdistLayout }
  /** The address of the name server that answers all queries. */
  readonly backend: { readonly address: string; readonly port: number }
}

/** Starts a dnsdist that is set up for the panel and has no server yet. */
export async function startDrivenDnsdist(): Promise<DrivenDnsdist> {
  const directory = await mkdtemp(join(tmpdir(), 'hostreeve-dnsdist-'))
  const backend = await startNameServer()
  const port = await freePort()
  const configPath = join(directory, 'dnsdist.conf')
  const layout = { configPath, directory: join(directory, 'hostreeve'), service: 'dnsdist' }
  await writeFile(
    configPath,
    `setLocal("127.0.0.1:${port}")\nsetACL({"127.0.0.0/8"})\nsetSecurityPollSuffix("")\n`,
  )
  const starter = startOf(configPath, port)
  const options = { host: openHost(), layout, starter }
  await dnsdist.open(openHost(), options).setUp()
  return {
    options,
    backend: { address: '127.0.0.1', port: backend.address().port },
    dig: (name, from = '127.0.0.1') => digAt(port, name, from),
    stop: async () => {
      await starter.act('stop')
      backend.close()
      await rm(directory, { recursive: true })
    },
  }
}

/** Starts and stops a process of dnsdist as systemd does, without a service. */
function startOf(path: string, port: number): DnsdistStarter {
  let child: ChildProcess | undefined
  let since = 0
  const isRunning = async () => child !== undefined && child.exitCode === null && child.signalCode === null
  const stop = async () => {
    if (!(await isRunning())) return
    const ended = once(child!, 'exit')
    child!.kill()
    await ended
  }
  const start = async () => {
    const started = spawn('dnsdist', ['--supervised', '--disable-syslog', '-C', path])
    child = started
    let output = ''
    started.stdout.on('data', (chunk) => (output += chunk))
    started.stderr.on('data', (chunk) => (output += chunk))
    since = Date.now()
    await until(async () => started.exitCode !== null || output.includes('Webserver launched'))
    if (started.exitCode !== null) throw ServiceFailed(`dnsdist: start: ${output.slice(-1000)}`)
    await until(async () => (await udpPorts()).has(port))
  }
  return {
    isRunning,
    startedAt: async () => ((await isRunning()) ? since : undefined),
    act: async (verb) => {
      if (verb !== 'start') await stop()
      if (verb !== 'stop') await start()
    },
  }
}

async function udpPorts(): Promise<ReadonlySet<number>> {
  const rows = (await readFile('/proc/net/udp', 'utf8')).split('\n').slice(1)
  return new Set(rows.map((row) => Number.parseInt(row.split(':')[2] ?? '0', 16)))
}

async function digAt(port: number, name: string, from: string): Promise<string | undefined> {
  const argv = [
    'dig',
    '+time=2',
    '+tries=1',
    '-b',
    from,
    '@127.0.0.1',
    '-p',
    String(port),
    name,
    'A',
  ] as const
  const { stdout } = await run(argv, { timeoutMs: 60_000 })
  return /status: ([A-Z]+)/.exec(stdout)?.[1]
}

async function askTogether(port: number, count: number): Promise<void> {
  const socket = createSocket('udp4')
  let answers = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  socket.on('message', () => {
    if ((answers += 1) === count) resolve()
  })
  // RFC 1035, 4.1: an id, the flag RD, one question, which is for the A records of www.example
  const question = Buffer.from('\x03www\x07example\0\0\x01\0\x01', 'latin1')
  for (let id = 1; id <= count; id += 1)
    socket.send(
      Buffer.concat([Buffer.from([id >> 8, id & 255, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0]), question]),
      port,
      '127.0.0.1',
    )
  // the wait has a limit, and the promise is exact, as the bench needs it
  await Promise.race([promise, until(async () => answers === count)])
  socket.close()
}

/** Starts a name server on loopback that sends each query back as its answer. */
export async function startNameServer() {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    query[2] = query[2]! | 0x80
    socket.send(query, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}
