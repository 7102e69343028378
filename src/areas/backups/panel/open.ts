import { resolve } from 'node:path'
import { openObjectStore } from '../../../tools/s3/index.ts'
import type { Deps } from '../../deps.ts'
import type { openBackupSettings } from '../settings/stored.ts'
import { dropStep } from './drop-step.ts'
import type { PanelParts } from './parts.ts'
import { putStep } from './put-step.ts'
import { stageStep } from './stage-step.ts'

/** The backups of the panel itself. */
export interface PanelBackups extends PanelParts {
  readonly put: ReturnType<typeof putStep>
  readonly drop: ReturnType<typeof dropStep>
  readonly stage: ReturnType<typeof stageStep>
}

/** Binds the backups of the panel to its data folder. */
export function openPanelBackups(
  { settings, host, tools, store }: Deps,
  stored: ReturnType<typeof openBackupSettings>,
): PanelBackups {
  const dataDir = resolve(settings.dataDir ?? '/')
  const below = dataDir === '/' ? '' : dataDir
  const parts: PanelParts = {
    ...stored,
    store,
    files: host.files,
    run: host.run,
    accounts: host.accounts,
    gpg: tools.gpg,
    programs: tools.programs,
    openObjects: openObjectStore,
    version: settings.version,
    hostname: () => host.machine.kernel().hostname,
    dataDir: below,
    directory: `${below}/backups/panel`,
    places: {
      'secret.key': `${below}/secret.key`,
      'config.toml': settings.configuration.path,
      tls: `${below}/tls`,
      certificates: '/etc/nginx/hostreeve/certificates',
    },
    restart: settings.restart,
  }
  return { ...parts, put: putStep(parts), drop: dropStep(parts), stage: stageStep(parts) }
}
