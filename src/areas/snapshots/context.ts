import { resolve } from 'node:path'
import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { type Websites, websites } from '../websites/index.ts'
import type { SnapshotParts } from './parts.ts'
import { restoreFilesStep } from './restore-files-step.ts'
import { dropStep, takeStep } from './take-step.ts'

/** The snapshots of the host, as the verbs of the area reach them. */
export interface Snapshots extends SnapshotParts {
  readonly websites: Websites
  readonly take: ReturnType<typeof takeStep>
  readonly drop: ReturnType<typeof dropStep>
  readonly restoreFiles: ReturnType<typeof restoreFilesStep>
}

/** Binds the area to the store and to the files of all tools. */
export function openSnapshots({ host, store, tools, settings, use }: Deps): Snapshots {
  const below = settings.dataDir === undefined ? '/var/lib/hostreeve' : resolve(settings.dataDir)
  const parts: SnapshotParts = {
    files: host.files,
    apply: host.apply,
    applyEdit: host.applyEdit,
    store,
    managed: tools.managed,
    version: settings.version,
    directory: `${below}/snapshots`,
    scratch: `${below}/.making-snapshot`,
  }
  return {
    ...parts,
    websites: use(websites).websites,
    take: takeStep(parts),
    drop: dropStep(parts),
    restoreFiles: restoreFilesStep(parts),
  }
}

export interface Context {
  readonly snapshots: Snapshots
}

export const { endpoint } = area.of<Context>()
