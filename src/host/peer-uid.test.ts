import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { peerUid } from './peer-uid.ts'

/** Opens a connection to a server of this process; returns both ends. */
async function connected(listenAt: string, to: string): Promise<readonly [accepted: Socket, client: Socket]> {
  const server = createServer().listen(0, listenAt)
  await once(server, 'listening')
  const client = connect((server.address() as { port: number }).port, to)
  const [[accepted]] = (await Promise.all([once(server, 'connection'), once(client, 'connect')])) as [
    [Socket],
    unknown,
  ]
  server.close()
  return [accepted, client]
}

describe('the account behind a connection over loopback', () => {
  for (const [listenAt, to] of [
    ['127.0.0.1', '127.0.0.1'],
    ['::', '127.0.0.1'],
    ['::1', '::1'],
  ] as const)
    it(`is the one whose process connected to ${to}, of a server at ${listenAt}`, async () => {
      const [accepted, client] = await connected(listenAt, to)
      assert.equal(await peerUid(accepted), process.getuid?.())
      client.destroy()
      accepted.destroy()
    })

  it('is unknown once the client has closed its end, whose socket the kernel gives to root', async () => {
    const [accepted, client] = await connected('127.0.0.1', '127.0.0.1')
    const ends = { ...portsOf(accepted), remoteAddress: '127.0.0.1', localAddress: '127.0.0.1' }
    client.end()
    await once(accepted.resume(), 'end')
    assert.equal(await peerUid(ends), undefined)
    accepted.destroy()
  })

  it('is unknown for an address of another host, and for the same ports at another address of loopback', async () => {
    const [accepted, client] = await connected('127.0.0.1', '127.0.0.1')
    for (const remoteAddress of ['192.0.2.1', '127.0.0.2', undefined])
      assert.equal(
        await peerUid({ ...portsOf(accepted), localAddress: '127.0.0.1', remoteAddress }),
        undefined,
      )
    client.destroy()
    accepted.destroy()
  })

  const portsOf = ({ remotePort, localPort }: Socket) => ({ remotePort, localPort })
})
