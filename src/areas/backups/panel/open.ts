import { resolve } from 'node:path'
import type { Host } from '../../../host/index.ts'
import type { Store } from '../../../store/store.ts'
import type { Tools } from '../../../tools/open-tools.ts'
import { openObjectStore } from '../../../tools/s3/index.ts'
import type { Deps } from '../../deps.ts'
import type { openBackupSettings } from '../settings/settings.ts'
import { dropStep } from './drop-step.ts'
import { putStep } from './put-step.ts'
import { stageStep } from './stage-step.ts'

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
