import { finalStep } from '../../core/steps.ts'
import type { Tools } from '../../tools/open-tools.ts'
import { Accepted, DatabaseNames, DatabaseSizes, PrimaryReady, ServerAccounts } from './model.ts'
import type { Peer, Peers } from './peer.ts'

interface Parts {
  readonly tool: Tools['mariadb']
  readonly peers: Peers
}

interface JoinArgs extends Peer {
  readonly name: string
  readonly serverId: number
  readonly password: string
}

interface Joined {
  readonly port: number
  readonly certificate: string
  readonly username: string
}

interface Loaded {
  readonly databases: number
  readonly accounts: number
}

const mebibyte = 1024 * 1024
const reportedBytes = 4 * mebibyte

/** Opens the steps that deal with the panel of a primary. */
export const openPeerSteps = (parts: Parts) => ({
  joinPrimary: joinPrimary(parts),
  loadPrimary: loadPrimary(parts),
  copyAccounts: copyAccounts(parts),
})

const accountsOf = async (peers: Peers, peer: Peer, signal: AbortSignal) =>
  (await peers.ask(peer, { path: '/dump-users', reply: ServerAccounts, signal })).accounts

const joinPrimary = ({ peers }: Parts) =>
  finalStep<JoinArgs, null, Joined>({
    name: 'sqlreplication.join-primary',
    plan: ({ url, name }) => ({
      title: `Ask the panel ${url} to make its SQL server a primary, with the replica ${name}`,
    }),
    why: 'the other panel has made an account: remove the replica there',
    act: async ({ url, key, pin, name, serverId, password }, { signal }) => {
      const peer = { url, key, pin }
      const { port, certificate } = await peers.ask(peer, {
        path: '/setup-master',
        reply: PrimaryReady,
        signal,
      })
      const body = { name, server_id: serverId, password }
      const { username } = await peers.ask(peer, { path: '/accept', body, reply: Accepted, signal })
      return { port, certificate, username }
    },
    isDone: async () => undefined,
  })

const loadPrimary = ({ tool, peers }: Parts) =>
  finalStep<Peer, null, Loaded>({
    name: 'sqlreplication.load-primary',
    plan: ({ url }) => ({
      title: `Load the databases and accounts of the panel ${url}`,
      details: [
        'Databases of this host that the primary has too are replaced',
        'The binary log of this server begins anew: servers that follow it have to be synchronised again',
      ],
    }),
    why: 'the former databases are not kept',
    act: async ({ url, key, pin }, { signal, progress }) => {
      const peer = { url, key, pin }
      const sizes = await peers.ask(peer, { path: '/db-sizes', reply: DatabaseSizes, signal })
      // before the dump: an account that is created later comes with the changes, which would fail if it existed
      const accounts = await accountsOf(peers, peer, signal)
      const dump = await peers.openDump(peer, signal)
      await tool.prepareForLoad()
      let reported = -reportedBytes
      await tool.loadServer(dump, {
        signal,
        onProgress: (bytes) => {
          if (bytes - reported < reportedBytes) return
          reported = bytes
          const part = sizes.total_bytes === 0 ? 0 : Math.round((bytes / sizes.total_bytes) * 100)
          progress(Math.min(95, part), `${Math.round(bytes / mebibyte)} MiB of SQL are loaded`)
        },
      })
      progress(98, `Copying ${accounts.length} accounts`)
      const copied = await tool.copyAccounts(accounts)
      return { databases: sizes.databases.length, accounts: copied.accounts }
    },
    isDone: async () => undefined,
  })

const copyAccounts = ({ tool, peers }: Parts) =>
  finalStep<Peer, null, { accounts: number }>({
    name: 'sqlreplication.copy-accounts',
    plan: ({ url }) => ({
      title: `Copy the accounts of the SQL server of the panel ${url}, with their passwords and rights`,
    }),
    why: 'the former passwords and rights are not kept',
    act: async (peer, { signal }) => tool.copyAccounts(await accountsOf(peers, peer, signal)),
    isDone: async () => undefined,
  })

export type PeerSteps = ReturnType<typeof openPeerSteps>

/** Lists the databases of the primary. */
export const databasesOf = (peers: Peers, peer: Peer, signal: AbortSignal) =>
  peers.ask(peer, { path: '/databases', reply: DatabaseNames, signal })
