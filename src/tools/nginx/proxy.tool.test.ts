import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:https'
import { createServer as createPlain, request, type Server as Plain } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { after, before, describe, test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import type { SiteProxy, UpstreamTls } from './site.ts'
import { makeScratchNginx, nginxSkipReason, type ScratchNginx } from './testing/scratch.ts'

const reason = nginxSkipReason()
const listening = async (server: Plain | Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

describe(
  'the proxy of a site',
  { timeout: 900_000, skip: reason === undefined ? false : `the real nginx: ${reason}` },
  () => {
    let scratch: ScratchNginx
    let secure: Server
    let plain: Plain
    let ports: { readonly secure: number; readonly plain: number }
    before(async () => {
      scratch = await makeScratchNginx()
      await scratch.nginx.setUp()
      await scratch.nginx.steps.makeLogDirectories.act(
        { sites: [{ domain: 'proxy.test', gid: 0 }] },
        stepRun({ was: null }),
      )
      const made = await createSelfSigned(
        'app.internal',
        [{ type: 'dns', value: 'app.internal' }],
        new Date(),
      )
      await writeFile(`${scratch.directory}/own.pem`, made.cert)
      const other = await createSelfSigned('other', [{ type: 'dns', value: 'app.internal' }], new Date())
      await writeFile(scratch.layout.authoritiesPath, other.cert)
      secure = createServer(made, (asked, answer) => {
        const { servername } = asked.socket as TLSSocket
        answer.end(`${asked.url} for ${servername || 'nobody'}`)
      })
      plain = createPlain((asked, answer) => {
        if (asked.url !== '/silent') answer.end(asked.url)
      })
      plain.on('upgrade', (_asked, socket) => {
        socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n')
        socket.on('error', () => {}).pipe(socket)
      })
      ports = { secure: await listening(secure), plain: await listening(plain) }
    })
    after(async () => {
      for (const server of [secure, plain]) server.close().closeAllConnections()
      await scratch.stop()
    })

    const forward = (proxy: Partial<SiteProxy>, port: number) =>
      scratch.host.apply(scratch.nginx.tool, [
        {
          path: scratch.nginx.sitePath('proxy.test'),
          content: scratch.nginx.renderSite({
            id: 1,
            domain: 'proxy.test',
            aliases: [],
            type: 'proxy',
            root: `${scratch.directory}/www`,
            isSuspended: false,
            certificate: null,
            redirectsToHttps: false,
            hasHsts: false,
            proxy: {
              upstream: { address: '127.0.0.1', port },
              bodyMb: 1,
              seconds: 60,
              upgradeSeconds: 3600,
              tls: null,
              ...proxy,
            },
          }),
        },
      ])
    const over = async (tls: UpstreamTls) => {
      await forward({ tls }, ports.secure)
      return scratch.get('proxy.test', '/a%20b?c=%2F')
    }

    test('verifies the certificate of an https upstream for its name, and sends the name as SNI', async () => {
      const own = `${scratch.directory}/own.pem`
      const right = await over({ name: 'app.internal', authorities: own })
      assert.deepEqual(right, { status: 200, body: '/a%20b?c=%2F for app.internal' })
      assert.equal((await over({ name: 'else.internal', authorities: own })).status, 502)
      const byOthers = { name: 'app.internal', authorities: scratch.layout.authoritiesPath }
      assert.equal((await over(byOthers)).status, 502)
    })

    test('verifies nothing where that is switched off, and sends no SNI for an address', async () => {
      assert.equal(
        (await over({ name: 'else.internal', authorities: null })).body,
        '/a%20b?c=%2F for else.internal',
      )
      assert.equal((await over({ name: null, authorities: null })).body, '/a%20b?c=%2F for nobody')
    })

    test('keeps an upgraded connection that is silent for longer than an answer may take', async () => {
      await forward({ seconds: 1 }, ports.plain)
      const headers = { host: 'proxy.test', connection: 'Upgrade', upgrade: 'echo' }
      const asking = request({ host: '127.0.0.1', port: scratch.port, headers, path: '/echo' }).end()
      const [answer, socket] = await once(asking, 'upgrade')
      assert.equal(answer.statusCode, 101)
      assert.equal((await scratch.get('proxy.test', '/silent')).status, 504) // the silence is longer than the limit
      socket.write('still there')
      assert.equal(String((await once(socket, 'data'))[0]), 'still there')
      socket.destroy()
    })
  },
)
