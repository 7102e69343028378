import type { Files } from '../../host/files.ts'
import type { Owner } from '../../host/owner/index.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Copies } from './copies.ts'
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
  readonly copies: Copies
  readonly files: Files
  readonly tools: {
    readonly tar: Pick<Tools['tar'], 'countChanged' | 'listEntries' | 'pack' | 'unpack'>
    readonly gpg: Pick<Tools['gpg'], 'encrypt' | 'decrypt'>
    readonly mariadb: Pick<
      Tools['mariadb'],
      'dump' | 'rehearse' | 'removeRehearsed' | 'seeTables' | 'unchangedTables'
    >
  }
  readonly homeOf: (username: string) => Promise<OwnedHome>
  /** How fast parts of backups are stored at most; absent or 0 for no limit. */
  readonly maxBytesPerSecond?: () => Promise<number>
}
