import { proveStep } from '../../../test/support/step-suite.ts'
import type { PowerdnsApi } from './api.ts'
import { setAutoprimary } from './autoprimaries.ts'
import { setRoles } from './roles.ts'

interface Server {
  kind: string
  masters: string[]
  autoprimaries: { ip: string; nameserver: string; account: string }[]
}

/** A PowerDNS in memory with one zone. */
const apiOf = (server: Server): PowerdnsApi => ({
  readServer: async () => ({}),
  read: async (path) => {
    if (path === '/autoprimaries') return server.autoprimaries
    const { kind, masters } = server
    return [{ name: 'example.com.', kind, masters, serial: 1, notified_serial: 1, last_check: 1 }]
  },
  write: async ({ method, path, body }) => {
    if (method === 'DELETE') server.autoprimaries = []
    if (method === 'POST') server.autoprimaries.push({ ...(body as Server['autoprimaries'][number]) })
    if (method === 'PUT' && !path.endsWith('/axfr-retrieve')) Object.assign(server, body)
  },
})

const look = ({ kind, masters, autoprimaries }: Server) => [
  `${kind} ${masters.join()}`,
  ...autoprimaries.map(({ ip, nameserver }) => `${ip} ${nameserver}`),
]
const machine = (): Server => ({ kind: 'Native', masters: [], autoprimaries: [] })

proveStep<Server>('powerdns.set-roles', {
  machine,
  open: (server, door) => setRoles(door(apiOf(server))),
  look,
  cases: {
    secondary: {
      args: { zones: { 'example.com': { kind: 'Slave', masters: ['192.0.2.1'] } } },
      wanted: ['Slave 192.0.2.1'],
      handEdit: (server) => {
        server.kind = 'Master'
      },
    },
  },
})

proveStep<Server>('powerdns.set-autoprimary', {
  machine,
  open: (server, door) => setAutoprimary(door(apiOf(server))),
  look,
  cases: {
    registered: {
      args: { autoprimary: { ip: '192.0.2.1', nameserver: 'ns2.example.com' } },
      wanted: ['Native ', '192.0.2.1 ns2.example.com'],
      handEdit: (server) => {
        server.autoprimaries = [{ ip: '192.0.2.9', nameserver: 'ns9.example.com', account: 'hostreeve' }]
      },
    },
  },
})
