import type { Host } from '../../../host/index.ts'
import type { Store } from '../../../store/store.ts'
import type { Tools } from '../../../tools/open-tools.ts'
import type { openObjectStore } from '../../../tools/s3/index.ts'
import type { openBackupSettings } from '../settings/stored.ts'

/** What backups of the panel are made with. */
export interface PanelParts extends ReturnType<typeof openBackupSettings> {
  readonly store: Pick<Store, 'copyTo' | 'tryOpening' | 'db'>
  readonly files: Host['files']
  readonly run: Host['run']
  readonly accounts: Pick<Host['accounts'], 'find'>
  readonly gpg: Pick<Tools['gpg'], 'encryptFile' | 'decryptFile'>
  readonly programs: Tools['programs']
  readonly openObjects: typeof openObjectStore
  readonly version: string
  readonly hostname: () => string
  readonly dataDir: string
  /** Where the backups are. */
  readonly directory: string
  /** The files beside the store, by their names in an archive: single files, and folders of files. */
  readonly places: Readonly<Record<string, string>>
  /** Replaces the panel by a fresh one; absent where it cannot. */
  readonly restart: (() => Promise<void>) | undefined
}
