import { proveStep } from '../../../test/support/step-suite.ts'
import type { PowerdnsApi } from './api.ts'
import { type SigningKey, setKeys } from './keys.ts'

interface Server {
  nextId: number
  readonly keys: Map<number, SigningKey>
  rectifies: boolean
}

/** A PowerDNS in memory with one zone, whose keys its API reads and writes. */
function apiOf(server: Server): PowerdnsApi {
  const idIn = (path: string) => Number(/\/cryptokeys\/(\d+)$/.exec(path)?.[1])
  const shown = ([id, key]: readonly [number, SigningKey]) => ({
    ...{ id, algorithm: 'ECDSAP256SHA256', flags: 257, dnskey: `257 3 13 ${key.privatekey}` },
    ...{ keytype: key.keytype, active: key.active, published: key.published },
    ds: [`1 13 1 ${key.privatekey}`, `1 13 2 ${key.privatekey}`],
  })
  return {
    readServer: async () => ({}),
    read: async (path) => {
      if (path.endsWith('/cryptokeys')) return [...server.keys].map(shown)
      const id = idIn(path)
      const key = server.keys.get(id)
      if (key !== undefined) return { ...shown([id, key]), privatekey: key.privatekey }
      return { api_rectify: server.rectifies }
    },
    write: async ({ method, path, body }) => {
      if (method === 'DELETE') server.keys.delete(idIn(path))
      if (method === 'POST') server.keys.set(server.nextId++, { ...(body as SigningKey) })
      if (method === 'PUT' && body !== undefined)
        server.rectifies = (body as { readonly api_rectify: boolean }).api_rectify
    },
  }
}

const keyOf = (privatekey: string): SigningKey => ({
  ...{ keytype: 'csk', active: true, published: true, privatekey },
})

proveStep<Server>('powerdns.set-keys', {
  machine: () => ({ nextId: 1, keys: new Map(), rectifies: false }),
  open: (server, door) => setKeys(door(apiOf(server))),
  look: ({ keys, rectifies }) => [...[...keys.values()].map(({ privatekey }) => privatekey), rectifies],
  cases: {
    signed: {
      args: { zone: 'example.com', keys: [keyOf('one')] },
      wanted: ['one', true],
      returns: { ds: ['1 13 2 one'] },
      handEdit: (server) => server.keys.set(server.nextId++, keyOf('other')),
    },
    'a second key': {
      args: { zone: 'example.com', keys: [keyOf('one'), keyOf('two')] },
      arrange: (server) => {
        server.keys.set(server.nextId++, keyOf('one'))
        server.rectifies = true
      },
      wanted: ['one', 'two', true],
      returns: { ds: ['1 13 2 one', '1 13 2 two'] },
      handEdit: (server) => server.keys.set(server.nextId++, keyOf('other')),
    },
    unsigned: {
      args: { zone: 'example.com', keys: [] },
      arrange: (server) => {
        server.keys.set(server.nextId++, keyOf('one'))
        server.rectifies = true
      },
      wanted: [false],
      handEdit: (server) => server.keys.set(server.nextId++, keyOf('other')),
    },
  },
})
