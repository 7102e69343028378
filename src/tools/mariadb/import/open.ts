import { KeyedMutex } from '../../../core/keyed-mutex.ts'
import { Unavailable } from '../../../core/problem.ts'
import type { SqlConnection } from '../../../host/apply/steps.ts'
import type { Host } from '../../../host/index.ts'
import type { ImportingHomes } from './step.ts'

interface Server {
  readonly socketPath: string
  /** A stand-in in tests. */
  readonly connection: SqlConnection | undefined
}

/** Opens what imports need of the host: the server as root, and the homes of Linux accounts. */
export function openImporting(host: Host, { connection, socketPath }: Server): ImportingHomes {
  const target = { name: 'MariaDB', at: { socketPath }, user: 'root' }
  return {
    socketPath,
    connection: connection ?? host.connect.sql(target),
    session: host.connect.session(target),
    active: new Set(),
    alone: new KeyedMutex(),
    ownerOf: async (username) => {
      const account = await host.accounts.find(username)
      if (account === undefined)
        throw Unavailable(`The Linux account ${username} no longer exists on this host`)
      return host.owners.of({ ...account, name: username })
    },
  }
}
