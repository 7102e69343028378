import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A Unix socket that leads to the server. */
export interface Relay {
  readonly path: string
  close(): Promise<void>
}

const prefix = 'hostreeve-mongodb-'

/**
 * Opens a Unix socket that leads to a port of loopback, for a program without a network; only root reaches it outside
 * of a namespace.
 */
export async function openRelay(port: number): Promise<Relay> {
  // in lower case: the tools of MongoDB take the path for the name of a host
  const folder = join(tmpdir(), `${prefix}${process.pid}-${randomBytes(8).toString('hex')}`)
  await mkdir(folder, { mode: 0o700 })
  const path = join(folder, 'mongodb.sock')
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {}).once('close', () => open.delete(socket))
    return socket
  }
  const server = createServer((near) => {
    const far = keep(connect({ host: '127.0.0.1', port }))
    keep(near).pipe(far).pipe(near)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
  }).listen(path)
  await once(server, 'listening')
  server.unref() // it serves one program, which the panel awaits
  await chmod(path, 0o666) // the owner's uid connects in its namespace
  const close = async () => {
    server.close()
    for (const socket of open) socket.destroy()
    await rm(folder, { recursive: true, force: true })
  }
  return { path, close }
}

/** Removes the sockets that killed panels have left behind. */
export async function removeDeadRelays(): Promise<void> {
  for (const name of await readdir(tmpdir())) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]
    if (pid !== undefined && !existsSync(`/proc/${pid}`))
      await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}
