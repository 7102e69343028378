import Fastify from 'fastify'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, get, type Server } from 'node:http'
import { readAssets } from '../../src/app/assets.ts'
import { noteConnections } from '../../src/surfaces/http/connections.ts'
import { protect } from '../../src/surfaces/http/security-headers.ts'
import { serveWebPanel } from '../../src/surfaces/http/web-panel.ts'
import { type ScratchHaproxy, startScratchHaproxy } from '../../src/tools/haproxy/testing/scratch.ts'
import { openTestPanel, type TestPanel } from '../support/panel.ts'
import { freePorts } from '../support/free-ports.ts'

/** A panel for browser tests, with its own HAProxy and real servers. */
export interface LbproxyPanel {
  readonly baseUrl: string
  readonly panel: TestPanel
  readonly haproxy: ScratchHaproxy
  /** The address of the frontend web. */
  readonly webPort: number
  /** The ports of three servers: two of shop, one of api. */
  readonly serverPorts: readonly number[]
  /** Sends a request to the frontend web and returns the name of the server that answered. */
  visit(path?: string): Promise<string>
  stop(): Promise<void>
}

/** Starts the panel on a loopback port, with the pages of a built panel. */
export async function openLbproxyPanel(webFolder: string, port = 0): Promise<LbproxyPanel> {
  const [webPort, ...serverPorts] = (await freePorts(4)) as [number, number, number, number]
  const servers = await Promise.all(
    serverPorts.map((each, index) => startServer(`server ${index + 1}`, each)),
  )
  const haproxy = await startScratchHaproxy(configOf(webPort, serverPorts))
  const panel = await openTestPanel({ haproxy: haproxy.options })
  await panel.start()
  const web = await serveWithPages(panel, webFolder, port)
  return {
    baseUrl: web.baseUrl,
    panel,
    haproxy,
    webPort,
    serverPorts,
    visit: (path = '/') => ask(webPort, path),
    stop: async () => {
      await web.close()
      for (const each of servers) {
        each.closeAllConnections()
        each.close()
      }
      await panel.close()
      await haproxy.stop()
    },
  }
}

/** Serves the pages of a built panel and the API of a panel under test on a loopback port. */
export async function serveWithPages(
  panel: TestPanel,
  webFolder: string,
  port = 0,
): Promise<{ readonly baseUrl: string; close(): Promise<void> }> {
  const web = Fastify()
  protect(web)
  const page = serveWebPanel(readAssets(webFolder), readFileSync(`${webFolder}/index.html`, 'utf8'))
  web.setNotFoundHandler((request, reply) => page(request, reply) ?? reply.code(404).send())
  await Promise.all([web.ready(), panel.app.ready()])
  const door = createServer((request, reply) =>
    (request.url?.startsWith('/api') ? panel.app : web).routing(request, reply),
  )
  noteConnections(door) // the panel's own server does not see them
  door.listen(port, '127.0.0.1')
  await once(door, 'listening')
  const address = door.address()
  return {
    baseUrl: `http://localhost:${typeof address === 'object' ? address?.port : port}`,
    close: async () => {
      door.closeAllConnections()
      door.close()
      await web.close()
    },
  }
}

const configOf = (webPort: number, [shop1, shop2, api]: readonly number[]) => `# The shop and its API
global
  stats socket \${socket} mode 600 level admin
  maxconn 2000

userlist ops
  user ann insecure-password s3cret

defaults
  mode http
  timeout connect 1s
  timeout client 10s
  timeout server 10s

frontend web
  bind 127.0.0.1:${webPort}
  acl is_api path_beg /api
  use_backend api if is_api
  default_backend shop

backend shop
  balance roundrobin
  option httpchk GET /health
  server shop1 127.0.0.1:${shop1} check inter 200ms weight 2 # the large one
  server shop2 127.0.0.1:${shop2} check inter 200ms
  server spare 127.0.0.1:1 check inter 200ms backup

backend api
  balance leastconn
  server api1 127.0.0.1:${api} check inter 200ms
`

async function startServer(name: string, port: number): Promise<Server> {
  const server = createServer((_request, reply) => reply.end(name)).listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function ask(port: number, path: string): Promise<string> {
  const request = get({ host: '127.0.0.1', port, path, agent: false, timeout: 5000 })
  const [reply] = (await once(request, 'response')) as [AsyncIterable<Uint8Array>]
  let text = ''
  for await (const chunk of reply) text += String(chunk)
  return text
}
