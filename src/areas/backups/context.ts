import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Store } from '../../store/store.ts'
import type { Tools } from '../../tools/open-tools.ts'
import { openObjectStore } from '../../tools/s3/index.ts'
import type { Deps } from '../deps.ts'
import { openPanelBackups, type PanelBackups } from './panel/open.ts'
import { openBackupSettings } from './settings/stored.ts'

/** Backups of the panel and of websites, as the verbs of the area reach them. */
export interface BackupsArea extends ReturnType<typeof openBackupSettings> {
  readonly store: Store
  readonly gpg: Tools['gpg']
  readonly ping: Tools['ping']
  readonly addresses: Host['addresses']
  readonly openObjects: typeof openObjectStore
  readonly panel: PanelBackups
}

/** Binds the area to the store and the programs. */
export function openBackups(deps: Deps): BackupsArea {
  const { store, host, tools } = deps
  const stored = openBackupSettings(store)
  return {
    ...stored,
    store,
    gpg: tools.gpg,
    ping: tools.ping,
    addresses: host.addresses,
    openObjects: openObjectStore,
    panel: openPanelBackups(deps, stored),
  }
}

export interface Context {
  readonly backups: BackupsArea
}

export const { endpoint, work } = area.of<Context>()
