import { compareVersions } from '../../areas/selfupdate/index.ts'
import { findPanel, openReleases, readPanelProcess } from '../../host/releases/index.ts'
import type { Config } from '../config.ts'
import { installationFolder } from '../paths.ts'
import { assertOpensStore } from '../store-of-version.ts'
import { switchBack } from '../switch-back.ts'

/** Returns to the version before the current one and restarts the panel if it runs. */
export async function rollback({ data_dir: dataDir }: Config): Promise<number> {
  const folder = installationFolder()
  if (folder === undefined)
    throw new Error('this panel runs from a checkout, which has no earlier version to return to')
  const releases = openReleases()
  const from = (await releases.current(folder)) ?? ''
  const earlier = (await releases.list(folder)).filter((each) => compareVersions(each, from) < 0)
  const to = earlier.toSorted(compareVersions).at(-1)
  if (to === undefined) throw new Error(`there is no version before ${from} below ${folder}/versions`)
  assertOpensStore({ dataDir, to, versionFolder: `${folder}/versions/${to}` })
  const pid = findPanel(dataDir)
  const panel = pid === undefined ? undefined : readPanelProcess(pid)
  const message = `hostreeve rollback returned from ${from} to ${to}`
  await switchBack({ folder, dataDir, to, panel, result: { from, to, state: 'rolled_back', message } })
  const next =
    panel === undefined ? 'Start the panel: no panel runs on this data directory' : 'The panel is starting'
  process.stdout.write(`The panel is version ${to} again. ${next}\n`)
  return 0
}
