import type { Host } from '../../host/index.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'

/** What snapshots are made with. */
export interface SnapshotParts {
  readonly files: Host['files']
  readonly apply: Host['apply']
  readonly applyEdit: Host['applyEdit']
  readonly store: Pick<Store, 'db' | 'copyTo' | 'rehearse' | 'migrations'>
  readonly managed: Tools['managed']
  readonly version: string
  /** Where the snapshots are, a folder each. */
  readonly directory: string
  /** Where one is put together. */
  readonly scratch: string
}
