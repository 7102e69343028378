import { writeFileSync } from 'node:fs'
import { poll } from '../../core/poll.ts'
import { hasFailed, openReleases, readPanelProcess } from '../../host/releases/index.ts'
import { run } from '../../host/run.ts'
import { installationFolder } from '../paths.ts'
import { switchBack, writeResult } from '../switch-back.ts'
import type { Call } from './command.ts'
import { request } from './request.ts'

/** 30 s, and before that the time in which the former version closes its listeners. */
const limitMs = 34_000
const everyMs = 250
const answerMs = 5000

/** Watches an update from outside the panel, and returns to the former version unless the new one becomes ready. */
export async function watchUpdate({ positionals }: Call): Promise<number> {
  const [dataDir = '', from = '', to = '', pid = ''] = positionals
  const folder = installationFolder()
  const panel = readPanelProcess(Number(pid))
  if (folder === undefined || panel === undefined) throw new Error('there is no panel to watch')
  writeFileSync(`${dataDir}/selfupdate.watching`, '', { mode: 0o600 })
  const end = await poll(() => endOf(dataDir, to, () => hasFailed(panel, run)), { limitMs, everyMs })
  if (end === 'ready') {
    writeResult(dataDir, { from, to, state: 'updated', message: `Version ${to} runs` })
    await removeOthers(folder, [from, to])
    return 0
  }
  const reason = end === 'ended' ? 'it ended' : 'it was not ready within 30 seconds'
  const message = `Version ${to} was replaced by ${from} again: ${reason}`
  const result = { from, to, state: 'rolled_back' as const, message }
  await switchBack({ folder, dataDir, to: from, panel, result })
  return 0
}

async function endOf(
  dataDir: string,
  to: string,
  hasEnded: () => Promise<boolean>,
): Promise<'ready' | 'ended' | undefined> {
  if (await isReady(dataDir, to)) return 'ready'
  return (await hasEnded()) ? 'ended' : undefined
}

/** The former version answers too, until it closes its listeners. */
async function isReady(dataDir: string, version: string): Promise<boolean> {
  const ask = async (path: string) =>
    request({ data_dir: dataDir }, 'GET', path, undefined, answerMs).catch(() => undefined) // it may end meanwhile
  const running = await ask('/api/version')
  if (running?.status !== 200 || versionIn(running.text) !== version) return false
  return (await ask('/readyz'))?.status === 200
}

/** Whatever a version answers that does not work, it is not ready. */
function versionIn(text: string): unknown {
  try {
    return JSON.parse(text).data?.version
  } catch {
    return undefined
  }
}

async function removeOthers(folder: string, kept: readonly string[]): Promise<void> {
  const releases = openReleases()
  for (const version of await releases.list(folder))
    if (!kept.includes(version)) await releases.remove(folder, version)
}
