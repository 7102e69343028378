import { dirname } from 'node:path'
import { detectByVersion } from '../detection.ts'
import { edited } from '../tool-files.ts'
import { tool } from '../tool.ts'
import { addresses } from './addresses.ts'
import { configTool, findObstacle } from './config-tool.ts'
import { credentials } from './credentials.ts'
import { type Daemon, openDaemon } from './daemon.ts'
import { addressesPath, configPath, credentialsPath } from './layout.ts'
import { lookupTool } from './lookup-tool.ts'
import { readQueue } from './queue.ts'
import { readRelay } from './relay.ts'
import { sendTest } from './send-test.ts'
import { settings } from './settings.ts'

export { hostOf } from './credentials.ts'
export { QueueUnreadable, TestFailed } from './problems.ts'
export type { Relay } from './relay.ts'

interface EximOptions {
  readonly daemon?: Daemon
  /** How long a test message waits for the end of the first attempt to deliver it. */
  readonly firstAttemptMs?: number
}

/** Exim as Debian configures it, which sends the mail of the host. */
export const exim = tool({
  name: 'exim',
  title: 'Exim',
  packages: ['exim4-daemon-light'],
  service: 'exim4',
  open: ({ host }, { daemon = openDaemon(host.files), firstAttemptMs = 60_000 }: EximOptions = {}) => ({
    daemon,
    firstAttemptMs,
  }),
  detect: async ({ host }) => {
    const found = await detectByVersion(['exim4', '--version'])({ host })
    const obstacle = found.present ? await findObstacle(host) : undefined
    return obstacle === undefined ? found : { ...found, healthy: false, reason: obstacle }
  },
  reconcile: async ({ host: { files } }) => {
    for (const path of [configPath, addressesPath]) await files.cleanLeftovers(dirname(path))
  },
  files: ({ host, daemon, service }) => ({
    config: edited(configPath, settings, {
      title: ({ route }) => (route === '' ? 'Deliver mail without a relay' : `Send mail through ${route}`),
      partName: () => 'the relay',
      by: configTool({ host, daemon, service }),
    }),
    credentials: edited(credentialsPath, credentials, {
      title: ({ to }) =>
        to === null ? 'Remove the credentials of the relay' : `Sign in to the relay as ${to.username}`,
      partName: () => 'the sign-in to the relay',
      by: lookupTool(host, credentialsPath, 'secret'),
    }),
    addresses: edited(addressesPath, addresses, {
      title: ({ account, address }) =>
        address === null
          ? `Send mail of ${account} from its own address`
          : `Send mail of ${account} from ${address}`,
      partName: ({ account }) => `the address of ${account}`,
      by: lookupTool(host, addressesPath, 'public'),
    }),
  }),
  steps: ({ host, firstAttemptMs }) => ({ sendTest: sendTest(host, firstAttemptMs) }),
  verbs: ({ host, daemon }) => ({
    /** True if the daemon runs, which receives mail and sends the queue again. */
    isRunning: async () => (await daemon.startedAt()) !== undefined,
    /** Reads the relay, the sign-in to it and the address of an account. */
    readRelay: (account: string) => readRelay(host.files, account),
    /** Lists the messages that wait, the oldest first. */
    readQueue: (limit: number) => readQueue(host, limit),
  }),
})
