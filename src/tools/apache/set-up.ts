import { Unavailable } from '../../core/problem.ts'
import type { Files } from '../../host/files.ts'
import { createSelfSigned } from '../../host/self-signed.ts'
import type { Applied } from '../../host/apply/tool.ts'
import { stamped } from '../../host/apply/stamp.ts'
import { renderLogrotate } from '../nginx/render-own.ts'
import { webServices } from '../web-services.ts'
import type { ApacheLayout } from './layout.ts'
import type { ApacheParts } from './parts.ts'
import { renderGeneration, renderOwnConfig } from './render-own.ts'

/** True if the panel's files are in Apache's configuration. */
export async function isSetUp(files: Files, layout: ApacheLayout): Promise<boolean> {
  const needed = [layout.ownConfigPath, layout.slotPath, layout.generationPath, layout.defaultCertificatePath]
  const found = await Promise.all(needed.map((path) => files.facts(path)))
  return found.every((facts) => facts !== undefined)
}

/**
 * Adds the panel's files to Apache's configuration. Where nginx serves, Apache neither runs nor starts with the host: an
 * installation enables it, and both want port 80.
 */
export async function setUpApache(parts: ApacheParts): Promise<Applied> {
  const { host, layout, program, starter, tool } = parts
  if ((await program.version()) === undefined) throw Unavailable('Apache is not installed')
  const isOtherServing = await starter.isReplaced()
  if (isOtherServing) await rest(parts)
  await createFiles(parts)
  await program.enableSites()
  const applied = await host.apply(tool, [{ path: layout.ownConfigPath, content: renderOwnConfig(layout) }])
  if (applied.isLive || isOtherServing) return applied
  await host.services.act(webServices.apache, 'enable')
  await starter.start()
  return { ...(await host.reconcile(tool)), isChanged: applied.isChanged }
}

async function rest({ host: { services } }: ApacheParts): Promise<void> {
  await services.act(webServices.apache, 'disable')
  await services.act(webServices.apache, 'stop')
}

const placeholder = '# Hostreeve is being set up.\n'

async function createFiles({ host: { files }, layout }: ApacheParts): Promise<void> {
  const { shared } = layout
  await files.makeDirectory(layout.sitesDirectory)
  await files.makeDirectory(dirnameOf(layout.ownConfigPath))
  await files.makeDirectory(dirnameOf(shared.logsDirectory))
  await files.makeDirectory(shared.logsDirectory, { mode: 0o711 })
  await writeIfAbsent(files, layout.slotPath, '')
  await writeIfAbsent(files, layout.generationPath, renderGeneration('none'))
  await writeIfAbsent(files, layout.ownConfigPath, stamped(placeholder))
  if ((await files.facts(layout.defaultCertificatePath)) === undefined) {
    const name = 'default.hostreeve.invalid'
    const { cert, key } = await createSelfSigned(name, [{ type: 'dns', value: name }], new Date())
    await files.write(layout.defaultCertificatePath, `${cert}\n${key}`, { rights: { mode: 0o600 } })
  }
  if ((await files.facts(dirnameOf(shared.logrotatePath))) !== undefined)
    await files.write(shared.logrotatePath, renderLogrotate(shared))
}

async function writeIfAbsent(files: Files, path: string, content: string): Promise<void> {
  if ((await files.facts(path)) === undefined) await files.write(path, content)
}

function dirnameOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
