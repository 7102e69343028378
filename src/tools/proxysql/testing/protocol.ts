import { rmSync } from 'node:fs'
import { createServer, type Server as NetServer, type Socket } from 'node:net'
import mysql, { type Connection } from 'mysql2'
import { isKnown } from './admin-tables.ts'

/** What a server of the stand-in answers. */
export interface Served {
  version(): string
  /** The hash of the password of an account; undefined if it may not connect from this address. */
  hashOf(user: string, address: string): string | undefined
  answer(connection: Connection, sql: string, user: string): Promise<void> | void
}

/** A server that listens, with the sockets of its clients. */
export interface Server {
  readonly server: NetServer
  readonly sockets: Set<Socket>
}

/** The parts of a connection of mysql2's server that its types leave out. */
interface ServerSide {
  serverHandshake(args: object): void
  on(event: string, listener: (...args: any[]) => void): void
  writeOk(): void
  writeError(error: object): void
  close(): void
  _resetSequenceId(): void
  sequenceId: number
}

interface Hello {
  readonly user: string
  readonly authPluginData1: Buffer
  readonly authPluginData2: Buffer
  readonly authToken?: Buffer
}

let connections = 0
// no compression and no TLS: the server of mysql2 has neither
const capabilityFlags = 0xff_ff_ff & ~0x8_20

/** Listens on a socket by its path, or on `address:port`. */
export async function listen(at: string, served: Served): Promise<Server> {
  const acceptor = mysql.createServer(() => {}) as unknown as {
    _handleConnection(socket: Socket): void
    on(event: 'connection', listener: (connection: ServerSide) => void): void
  }
  const sockets = new Set<Socket>()
  let address = ''
  acceptor.on('connection', (connection) => serve(connection, served, address))
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    address = socket.remoteAddress ?? ''
    acceptor._handleConnection(socket)
  })
  const [, host, port] = /^([\d.]+):(\d+)$/.exec(at) ?? []
  if (port === undefined) rmSync(at, { force: true })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.on('error', reject)
  if (port === undefined) server.listen(at, resolve)
  else server.listen(Number(port), host, resolve)
  await promise
  return { server, sockets }
}

/** Stops listening; clients that are connected stay. */
export async function closeServers(servers: readonly Server[]): Promise<void> {
  for (const { server, sockets } of servers) {
    const { promise, resolve } = Promise.withResolvers<void>()
    server.close(() => resolve())
    for (const socket of sockets) socket.end()
    await Promise.race([promise, new Promise((done) => setTimeout(done, 500).unref())])
    for (const socket of sockets) socket.destroy()
  }
}

function serve(connection: ServerSide, served: Served, address: string): void {
  let user = ''
  connection.on('error', () => {})
  connection.serverHandshake({
    ...{ protocolVersion: 10, serverVersion: served.version(), connectionId: (connections += 1) },
    ...{ statusFlags: 2, characterSet: 33, capabilityFlags },
    authCallback: (hello: Hello, done: (error: null, refusal?: object) => void) => {
      user = hello.user
      const hash = served.hashOf(user, address)
      const seed = Buffer.concat([hello.authPluginData1, hello.authPluginData2]).subarray(0, 20)
      if (hash !== undefined && isKnown(seed, hello.authToken, hash)) {
        done(null)
        return connection._resetSequenceId()
      }
      done(null, { code: 1045, message: `ProxySQL Error: Access denied for user '${user}'` })
    },
  })
  // mysql2's server goes on counting packets where a command begins with 1
  const on = (event: string, answer: (...args: any[]) => Promise<void> | void) =>
    connection.on(event, async (...args) => {
      connection._resetSequenceId()
      connection.sequenceId = 1
      await answer(...args)
      connection._resetSequenceId()
    })
  on('query', (sql: string) => served.answer(connection as unknown as Connection, sql, user))
  on('stmt_prepare', () => connection.writeError({ code: 1045, message: 'Command not supported' }))
  on('ping', () => connection.writeOk())
  on('init_db', () => connection.writeOk())
  connection.on('quit', () => connection.close())
}
