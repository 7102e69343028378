import { mkdtempSync, rmSync } from 'node:fs'
import { createConnection, createServer, type Socket } from 'node:net'
import { urlOfSocket } from './postgresql-server.ts'

/** When the connection of a commit is cut. */
export type Cut = 'before it is sent' | 'before its answer'

/** An address that leads to a server, of a panel whose connections are cut. */
export interface CutConnections {
  readonly url: string
  /** How many commits have reached the server. */
  readonly commits: () => number
  /** Cuts the connection of the commit of this number, counted from now on. */
  cutAt(number: number, cut: Cut): void
  /** Leads to another server from the next connection on, and ends the others; to none if undefined. */
  leadTo(folder: string | undefined): void
  close(): Promise<void>
}

/** Opens an address that leads to the socket in a folder. */
export async function openCutConnections(target: string): Promise<CutConnections> {
  const folder = mkdtempSync('/tmp/hostreeve-cut-')
  const open = new Set<Socket>()
  let to: string | undefined = target
  let seen = 0
  let next: { readonly at: number; readonly cut: Cut } | undefined
  const endAll = () => open.forEach((socket) => socket.destroy())
  const server = createServer((client) => {
    if (to === undefined) return void client.destroy()
    const upstream = createConnection(`${to}/.s.PGSQL.5432`)
    let isMute = false
    const end = () => [client, upstream].forEach((socket) => socket.destroy())
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', end).on('close', () => {
        open.delete(socket)
        end()
      })
    }
    client.on('data', (bytes) => {
      const isCommit = bytes.includes('; commit\0')
      const isCut = isCommit && next !== undefined && --(next as { at: number }).at === 0
      if (isCut && next?.cut === 'before it is sent') return end()
      if (isCommit) seen += 1
      if (isCut) isMute = true
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => (isMute ? end() : void client.write(bytes)))
  })
  await new Promise<void>((resolve) => server.listen(`${folder}/.s.PGSQL.5432`, resolve))
  return {
    url: urlOfSocket(folder),
    commits: () => seen,
    cutAt: (at, cut) => void (next = { at, cut }),
    leadTo: (other) => {
      to = other
      endAll()
    },
    close: async () => {
      endAll()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
