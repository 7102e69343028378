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
  /** Cuts the connection of the commit of this number, counted from now on; after the last one the address leads nowhere. */
  cutAt(number: number, cut: Cut, options?: { readonly isLast: boolean }): void
  /** Leads to another server from the next connection on, and ends the others; to none if undefined. */
  leadTo(folder: string | undefined): void
  /** Lets nothing through the connections that are open, as if the host of the server were gone; later ones work. */
  mute(): void
  close(): Promise<void>
}

/** Opens an address that leads to the socket in a folder. */
export async function openCutConnections(target: string): Promise<CutConnections> {
  const folder = mkdtempSync('/tmp/hostreeve-cut-')
  const open = new Set<Socket>()
  let to: string | undefined = target
  let seen = 0
  let mutes = 0
  let next: { readonly at: number; readonly cut: Cut; readonly isLast: boolean } | undefined
  const endAll = () => open.forEach((socket) => socket.destroy())
  const server = createServer((client) => {
    if (to === undefined) return void client.destroy()
    const upstream = createConnection(`${to}/.s.PGSQL.5432`)
    let isMute = false
    const before = mutes
    const end = () => [client, upstream].forEach((socket) => socket.destroy())
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', end).on('close', () => {
        open.delete(socket)
        end()
      })
    }
    client.on('data', (bytes) => {
      if (mutes > before) return
      const isCommit = bytes.includes('; commit\0')
      const isCut = isCommit && next !== undefined && --(next as { at: number }).at === 0
      if (isCut && next?.isLast) to = undefined
      if (isCut && next?.cut === 'before it is sent') return end()
      if (isCommit) seen += 1
      if (isCut) isMute = true
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      if (isMute) end()
      else if (mutes === before) client.write(bytes)
    })
  })
  await new Promise<void>((resolve) => server.listen(`${folder}/.s.PGSQL.5432`, resolve))
  return {
    url: urlOfSocket(folder),
    commits: () => seen,
    cutAt: (at, cut, { isLast } = { isLast: false }) => void (next = { at, cut, isLast }),
    leadTo: (other) => {
      to = other
      endAll()
    },
    mute: () => void (mutes += 1),
    close: async () => {
      endAll()
      await new Promise((resolve) => server.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
