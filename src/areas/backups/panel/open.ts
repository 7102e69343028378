import type { Deps } from '../../deps.ts'
import type { openBackupSettings } from '../settings/settings.ts'

/** The backups of the panel itself. */
export interface PanelBackups {
  readonly directory: string
}

/** Binds the backups of the panel to its data folder. */
export function openPanelBackups(
  { settings: { dataDir } }: Deps,
  _stored: ReturnType<typeof openBackupSettings>,
): PanelBackups {
  return { directory: `${dataDir ?? ''}/backups/panel` }
}
