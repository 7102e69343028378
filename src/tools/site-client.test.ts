import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Server } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createSelfSigned } from '../host/self-signed.ts'
import { differences, visitSites } from './site-client.ts'

type Listener = Server & { closeAllConnections(): void }

describe('websites that are fetched from their host', () => {
  const statuses: Readonly<Record<string, number>> = { 'a.test': 200, 'moved.test': 301, 'down.test': 502 }
  const servers: Listener[] = []
  const ports = { http: 0, https: 0 }
  const listen = async (server: Listener): Promise<number> => {
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    return typeof address === 'object' && address !== null ? address.port : 0
  }
  before(async () => {
    const answer: Parameters<typeof createServer>[1] = ({ headers }, response) => {
      const status = statuses[headers.host ?? '']
      if (status === undefined) response.destroy()
      else response.writeHead(status).end('x'.repeat(100_000))
    }
    ports.http = await listen(createServer(answer))
    ports.https = await listen(
      createTlsServer(
        await createSelfSigned('a.test', [{ type: 'dns', value: 'a.test' }], new Date()),
        answer,
      ),
    )
  })
  after(() => {
    for (const server of servers) {
      server.close()
      server.closeAllConnections()
    }
  })

  const visit = (name: string, more: { isTls?: boolean; isProxy?: boolean } = {}) => ({
    name,
    isTls: false,
    isProxy: false,
    ...more,
  })

  it('tell their status by name and scheme, and are absent without an answer', async () => {
    const visits = [
      visit('a.test'),
      visit('a.test', { isTls: true }),
      visit('moved.test'),
      visit('silent.test'),
    ]
    assert.deepEqual(await visitSites(visits, { ports, hasIpv6: false }), {
      'http://a.test/ over IPv4': '200',
      'https://a.test/ over IPv4': '200',
      'http://moved.test/ over IPv4': '301',
    })
  })

  it('have one answer for each status of an upstream that is down', async () => {
    const visits = [visit('down.test', { isProxy: true })]
    const found = await visitSites(visits, { ports, hasIpv6: false })
    assert.deepEqual(Object.values(found), ['an upstream that does not answer'])
    assert.deepEqual(Object.values(await visitSites([visit('down.test')], { ports, hasIpv6: false })), [
      '502',
    ])
  })
})

it('names what answers otherwise, and not what answers only now', () => {
  const before = { a: '200', b: '200', c: '301' }
  assert.deepEqual(differences(before, { a: '200', b: '500', d: '200' }), [
    'b answered 200, and now 500',
    'c answered 301, and now nothing',
  ])
  assert.deepEqual(differences(before, before), [])
})
