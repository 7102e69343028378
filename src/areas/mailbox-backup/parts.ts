import type { Host } from '../../host/index.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Graph, GraphSettings, Patience } from '../../tools/graph/index.ts'
import type { openObjectStore } from '../../tools/s3/index.ts'
import type { openSettings } from './settings/stored.ts'
import type { MailboxQueries } from './store.ts'

/** What mailboxes are backed up with. */
export interface MailboxBackup {
  readonly store: Store
  readonly queries: MailboxQueries
  readonly settings: ReturnType<typeof openSettings>
  readonly files: Host['files']
  readonly gpg: Pick<Tools['gpg'], 'encryptFile' | 'decryptFile'>
  /** The key that backups on S3 are encrypted with; undefined without one. */
  readonly passphrase: () => Promise<string | undefined>
  readonly openGraph: (idp: GraphSettings, patience?: Partial<Patience>) => Graph
  readonly openObjects: typeof openObjectStore
  readonly homeRoot: string
  readonly defaultDataDir: string
}
