import { writeFileSync } from 'node:fs'
import { resultPath, type UpdateResult } from '../areas/selfupdate/index.ts'
import { openReleases, type PanelProcess, startPanel, stopPanel } from '../host/releases/index.ts'
import { run } from '../host/run.ts'
import { tolerateMigrations } from '../store/tolerated.ts'

interface Back {
  readonly folder: string
  readonly dataDir: string
  readonly to: string
  /** Absent if no panel runs. */
  readonly panel: PanelProcess | undefined
  readonly result: Omit<UpdateResult, 'at'>
}

/**
 * Returns to an earlier version, which accepts the store as it is, and starts the panel where one ran. The later version is ended
 * first: it may still be migrating the store.
 */
export async function switchBack({ folder, dataDir, to, panel, result }: Back): Promise<void> {
  if (panel !== undefined) await stopPanel(panel, run)
  try {
    tolerateMigrations(dataDir)
  } finally {
    await openReleases().switchTo(folder, to)
    writeResult(dataDir, result)
    if (panel !== undefined) await startPanel(panel, folder, run)
  }
}

/** Leaves for the page how an update ended. */
export function writeResult(dataDir: string, result: Omit<UpdateResult, 'at'>): void {
  const text = JSON.stringify({ ...result, at: new Date().toISOString() })
  writeFileSync(resultPath(dataDir), text, { mode: 0o600 })
}
