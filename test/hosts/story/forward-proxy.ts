import { once } from 'node:events'
import { createServer, request, type Server } from 'node:http'
import type { Host } from '../harness/index.ts'

/**
 * A proxy for a browser outside of a host, which reaches all websites of the host by their names, and the panel of the host as
 * `localhost`, a name that browsers trust without https.
 */
export async function openForwardProxy(host: Host, panelPort: number): Promise<Server> {
  const proxy = createServer((asked, answer) => {
    const { hostname, pathname, search } = new URL(asked.url ?? '/', 'http://localhost')
    const drop = () => answer.destroy()
    host.connect(hostname === 'localhost' ? panelPort : 80).then((socket) => {
      socket.on('error', drop)
      answer.on('close', () => socket.destroy())
      const { method = 'GET', headers } = asked
      const path = pathname + search
      const forwarded = request({ method, path, headers, setHost: false, createConnection: () => socket })
      forwarded.on('error', drop)
      forwarded.on('response', (found) => {
        answer.writeHead(found.statusCode ?? 502, found.rawHeaders)
        found.on('error', drop).pipe(answer)
      })
      asked.pipe(forwarded)
    }, drop)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return proxy
}
