import { Readable } from 'node:stream'
import { proveStep } from '../../../test/support/step-suite.ts'
import { openPeerSteps } from './steps.ts'

interface Machine {
  /** What the panel of the primary was asked. */
  readonly asked: Set<string>
  isLoaded: boolean
  accounts: number
}

const answers: Readonly<Record<string, object>> = {
  '/setup-master': { server_id: 11, port: 3306, certificate: 'pem' },
  '/accept': { username: 'hostreeve_replica_1' },
  '/db-sizes': { databases: [{ name: 'shop', size_bytes: 10 }], total_bytes: 10 },
  '/dump-users': { accounts: [{ username: 'app', host: '%', authentication: [], grants: [] }] },
}

const partsOf = (machine: Machine) => ({
  peers: {
    ask: async (_peer: unknown, { path }: { readonly path: string }) => {
      machine.asked.add(path)
      return answers[path]
    },
    openDump: async () => Readable.from(['dump']),
  },
  tool: {
    prepareForLoad: async () => void (machine.isLoaded = false),
    loadServer: async () => void (machine.isLoaded = true),
    copyAccounts: async (accounts: readonly unknown[]) => {
      machine.accounts = accounts.length
      return { accounts: accounts.length }
    },
  },
})

const opened = (machine: Machine, door: <Thing extends object>(thing: Thing) => Thing) => {
  const { peers, tool } = partsOf(machine)
  return openPeerSteps({ peers: door(peers), tool: door(tool) } as never)
}

const machine = (): Machine => ({ asked: new Set(), isLoaded: false, accounts: 0 })
const look = ({ asked, isLoaded, accounts }: Machine) => [[...asked].toSorted(), isLoaded, accounts]
const peer = { url: 'https://db1.example:2087', key: 'hrs_key', pin: '' }
const final = { machine, look, withoutHandEdit: 'final' }

proveStep<Machine>('sqlreplication.join-primary', {
  ...final,
  open: (on, door) => opened(on, door).joinPrimary,
  cases: {
    'a replica': {
      args: { ...peer, name: 'db2', serverId: 12, password: 'secret' },
      wanted: [['/accept', '/setup-master'], false, 0],
      returns: { port: 3306, certificate: 'pem', username: 'hostreeve_replica_1' },
    },
  },
})

proveStep<Machine>('sqlreplication.load-primary', {
  ...final,
  open: (on, door) => opened(on, door).loadPrimary,
  cases: {
    'all databases': {
      args: peer,
      wanted: [['/db-sizes', '/dump-users'], true, 1],
      returns: { databases: 1, accounts: 1 },
    },
  },
})

proveStep<Machine>('sqlreplication.copy-accounts', {
  ...final,
  open: (on, door) => opened(on, door).copyAccounts,
  cases: { 'all accounts': { args: peer, wanted: [['/dump-users'], false, 1], returns: { accounts: 1 } } },
})
