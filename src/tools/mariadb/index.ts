import type { Found } from '../../core/tool.ts'
import type { SqlConnection } from '../../host/apply/steps.ts'
import { type Opening, tool } from '../tool.ts'
import { setRootPassword } from './root-password.ts'
import { switchProgram } from './switch-program.ts'

export interface MariadbOptions {
  /** The connection as root; a stand-in in tests. */
  readonly connection?: SqlConnection
}

/** MariaDB as managed by the panel. The server knows root by the socket, so that the panel needs no password. */
export const mariadb = tool({
  name: 'mariadb',
  title: 'MariaDB',
  packages: ['mariadb-server'],
  service: 'mariadb',
  dataDirectories: ['/var/lib/mysql'],
  open: ({ host }: Opening, options: MariadbOptions = {}) => ({
    connection:
      options.connection ??
      host.connect.sql({ name: 'MariaDB', at: { socketPath: '/run/mysqld/mysqld.sock' }, user: 'root' }),
  }),
  detect,
  steps: ({ connection, host }) => ({
    switchProgram: switchProgram(host.services),
    setRootPassword: setRootPassword(connection, host.files),
  }),
  verbs: ({ host, service }) => ({
    /** Returns whether its service runs. */
    isRunning: async () => (await host.services.status(service)).active,
  }),
})

/** Asks the package manager: the server program alone stays behind when the package is removed. */
async function detect({ host }: Opening): Promise<Found> {
  const version = await host.packages.version('mariadb-server')
  if (version === undefined)
    return { present: false, version: null, healthy: false, reason: 'MariaDB is not installed' }
  return { present: true, version: upstreamVersion(version), healthy: true, reason: null }
}

/** `1:10.11.14-0+deb12u2` is 10.11.14. */
const upstreamVersion = (version: string): string => version.replace(/^\d+:/, '').replace(/-[^-]*$/, '')
