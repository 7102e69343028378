import { once } from 'node:events'
import { createServer, request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestPanel } from '../support/panel.ts'
import { serveWithPages } from './lbproxy-panel.ts'

/** Serves what `serveWithPages` does, and the sockets of the panel too. */
export async function serveWithSockets(panel: TestPanel, webFolder: string): Promise<Served> {
  const pages = await serveWithPages(panel, webFolder)
  const { hostname, port } = new URL(pages.baseUrl)
  const door = createServer((request, reply) => {
    const { method, url: path, headers } = request
    const asked = ask({ hostname, port, method, path, headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 500, answer.rawHeaders)
      answer.pipe(reply)
    })
    asked.on('error', () => reply.destroy())
    request.pipe(asked)
  })
  door.on('upgrade', (request, socket, head) => panel.app.server.emit('upgrade', request, socket, head))
  door.listen(0, '127.0.0.1')
  await once(door, 'listening')
  return {
    baseUrl: `http://localhost:${(door.address() as AddressInfo).port}`,
    close: async () => {
      door.closeAllConnections()
      door.close()
      await pages.close()
    },
  }
}

interface Served {
  readonly baseUrl: string
  close(): Promise<void>
}
