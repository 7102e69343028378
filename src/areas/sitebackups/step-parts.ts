import type { Files } from '../../host/files.ts'
import type { Owner } from '../../host/owner/index.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Depot } from './depot.ts'

/** The home of a hosting user. */
export interface OwnedHome {
  readonly owner: Owner
  readonly uid: number
  /** Absolute. */
  readonly home: string
}

/** What the steps of backups work with. */
export interface BackupParts {
  readonly depot: Depot
  readonly files: Files
  readonly tools: Pick<Tools, 'tar' | 'gpg' | 'mariadb'>
  readonly homeOf: (username: string) => Promise<OwnedHome>
}
