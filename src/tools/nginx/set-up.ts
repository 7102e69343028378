import type { Files } from '../../host/files.ts'
import type { Applied } from '../../host/apply/tool.ts'
import { ConfigRejected } from '../../host/apply/problems.ts'
import { stamped } from '../../host/apply/stamp.ts'
import { Problem, Unavailable } from '../../core/problem.ts'
import type { NginxParts } from './index.ts'
import type { NginxLayout } from './layout.ts'
import {
  renderGeneration,
  renderLogrotate,
  renderOwnConfig,
  renderUnitDropIn,
  type OwnConfigParts,
} from './render-own.ts'

export interface NginxSetUp extends Applied, OwnConfigParts {}

/** Whether nginx has the panel's files. */
export async function isSetUp(files: Files, layout: NginxLayout): Promise<boolean> {
  const needed = [layout.ownConfigPath, layout.slotPath, layout.generationPath]
  const found = await Promise.all(needed.map((path) => files.read(path)))
  return found.every((content) => content !== undefined) && found[0] !== placeholder
}

/**
 * Gives nginx the panel's files. The administrator's stay as they are: where one of them holds the default server (as Debian's
 * sites-enabled/default does), the panel brings none, and unknown names get what they got before.
 */
export async function setUpNginx(parts: NginxParts): Promise<NginxSetUp> {
  const { host, program, tool } = parts
  if ((await program.version()) === undefined) throw Unavailable('nginx is not installed')
  await makePlaces(parts)
  const applied = await applyWhatFits(parts, { hasDefaultServer: true, hasNamesHash: true })
  // without a change the workers may be there since before the socket was
  const seen = applied.isChanged ? applied : { ...applied, ...(await host.reconcile(tool)), isChanged: false }
  return seen.isLive ? seen : { ...seen, ...(await startForGood(parts)), isChanged: seen.isChanged }
}

/** Whoever asks for this wants a running nginx, also one that was stopped or that no boot starts. */
async function startForGood({ host, program, starter, tool }: NginxParts): Promise<Applied> {
  await host.services.act('nginx', 'enable')
  await program.removeStaleSocket()
  await starter.start()
  return host.reconcile(tool)
}

const placeholder = '# Hostreeve is being set up.\n'

async function makePlaces({ host: { files, services }, layout }: NginxParts): Promise<void> {
  await files.makeDirectory(layout.sitesDirectory)
  await files.makeDirectory(dirnameOf(layout.ownConfigPath))
  await files.makeDirectory(dirnameOf(layout.logsDirectory))
  await files.makeDirectory(layout.logsDirectory, { mode: 0o711 })
  await files.makeDirectory(dirnameOf(layout.socketPath), { mode: 0o700 })
  await writeIfAbsent(files, layout.slotPath, '')
  await writeIfAbsent(files, layout.generationPath, renderGeneration('none'))
  await writeIfAbsent(files, layout.ownConfigPath, stamped(placeholder))
  if ((await files.facts(dirnameOf(layout.logrotatePath))) !== undefined)
    await files.write(layout.logrotatePath, renderLogrotate(layout))
  const unit = renderUnitDropIn(layout)
  if ((await services.detect()).kind !== 'systemd' || (await files.read(layout.unitDropInPath)) === unit)
    return
  await files.makeDirectory(dirnameOf(layout.unitDropInPath))
  await files.write(layout.unitDropInPath, unit)
  await services.reloadUnits()
}

/** Asks nginx itself what it has already, rather than guessing from the administrator's files. */
async function applyWhatFits(parts: NginxParts, wanted: OwnConfigParts): Promise<NginxSetUp> {
  const { host, layout, tool } = parts
  try {
    const content = renderOwnConfig(layout, wanted)
    return { ...wanted, ...(await host.apply(tool, [{ path: layout.ownConfigPath, content }])) }
  } catch (error) {
    const fewer = withoutDuplicates(error, wanted)
    if (fewer === undefined) throw error
    return applyWhatFits(parts, fewer)
  }
}

function withoutDuplicates(error: unknown, wanted: OwnConfigParts): OwnConfigParts | undefined {
  if (!(error instanceof Problem) || error.kind !== ConfigRejected) return undefined
  if (wanted.hasDefaultServer && /a duplicate default server/.test(error.message))
    return { ...wanted, hasDefaultServer: false }
  if (wanted.hasNamesHash && /"server_names_hash_\w+" directive is duplicate/.test(error.message))
    return { ...wanted, hasNamesHash: false }
  return undefined
}

async function writeIfAbsent(files: Files, path: string, content: string): Promise<void> {
  if ((await files.facts(path)) === undefined) await files.write(path, content)
}

function dirnameOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
