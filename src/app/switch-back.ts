import { writeFileSync } from 'node:fs'
import { resultPath, type UpdateResult } from '../areas/selfupdate/index.ts'
import { openReleases, type PanelProcess, restartPanel } from '../host/releases/index.ts'
import { run } from '../host/run.ts'
import { tolerateMigrations } from '../store/tolerated.ts'

interface Back {
  readonly folder: string
  readonly dataDir: string
  readonly to: string
  /** Absent if no panel runs. */
  readonly panel: PanelProcess | undefined
}

/** Returns to an earlier version, which accepts the store as it is, and restarts the panel. */
export async function switchBack({ folder, dataDir, to, panel }: Back): Promise<void> {
  tolerateMigrations(dataDir)
  await openReleases().switchTo(folder, to)
  if (panel !== undefined) await restartPanel(panel, folder, run)
}

/** Leaves for the page how an update ended. */
export function writeResult(dataDir: string, result: Omit<UpdateResult, 'at'>): void {
  const text = JSON.stringify({ ...result, at: new Date().toISOString() })
  writeFileSync(resultPath(dataDir), text, { mode: 0o600 })
}
