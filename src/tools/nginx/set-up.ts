import type { Files } from '../../host/files.ts'
import type { Applied } from '../../host/apply/tool.ts'
import { ConfigRejected } from '../../host/apply/problems.ts'
import { stamped } from '../../host/apply/stamp.ts'
import { Problem, Unavailable } from '../../core/problem.ts'
import type { NginxParts } from './parts.ts'
import type { NginxLayout } from './layout.ts'
import { webServices } from '../web-services.ts'
import { missingTypes } from './media-types.ts'
import {
  logFormat,
  renderGeneration,
  renderLogrotate,
  renderOwnConfig,
  renderUnitDropIn,
  type OwnConfigParts,
} from './render-own.ts'

export interface NginxSetUp extends Applied, OwnConfigParts {}

/** True if the panel's files are in nginx's configuration. */
export async function isSetUp(files: Files, layout: NginxLayout): Promise<boolean> {
  const needed = [layout.ownConfigPath, layout.slotPath, layout.generationPath]
  const found = await Promise.all(needed.map((path) => files.read(path)))
  // the files of sites name the format of their logs
  return found.every((content) => content !== undefined) && found[0]!.includes(`log_format ${logFormat} `)
}

/**
 * Adds the panel's files to nginx's configuration. The administrator's files are not changed: if one of them
 * defines the default server (as Debian's sites-enabled/default does), the panel adds none, and unknown names
 * are answered as before.
 */
export async function setUpNginx(parts: NginxParts): Promise<NginxSetUp> {
  const { host, program, tool } = parts
  if ((await program.version()) === undefined) throw Unavailable('nginx is not installed')
  await createDirectories(parts)
  const applied = await applyWithoutDuplicates(parts, {
    hasDefaultServer: true,
    hasDefaultTls: true,
    hasNamesHash: true,
    mediaTypes: missingTypes(await host.files.read(parts.layout.mediaTypesPath)),
  })
  // without a change, the workers may be older than the socket
  const result = applied.isChanged
    ? applied
    : { ...applied, ...(await host.reconcile(tool)), isChanged: false }
  return result.isLive ? result : { ...result, ...(await enableAndStart(parts)), isChanged: result.isChanged }
}

/**
 * A caller of set-up wants a running nginx, even if it was stopped or is not started at boot. Where Apache serves it rests: its
 * installation enables it, and after a restart of the host both would want port 80.
 */
async function enableAndStart({ host, program, starter, tool }: NginxParts): Promise<Applied> {
  if (await starter.isReplaced?.()) {
    await host.services.act(webServices.nginx, 'disable')
    return host.reconcile(tool)
  }
  await host.services.act(webServices.nginx, 'enable')
  await program.removeStaleSocket()
  await starter.start()
  return host.reconcile(tool)
}

const placeholder = '# Hostreeve is being set up.\n'

async function createDirectories({ host: { files, services }, layout }: NginxParts): Promise<void> {
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

/**
 * Tests the candidates with nginx itself instead of guessing from the administrator's files which directives
 * exist already.
 */
async function applyWithoutDuplicates(parts: NginxParts, wanted: OwnConfigParts): Promise<NginxSetUp> {
  const { host, layout, tool } = parts
  try {
    const content = renderOwnConfig(layout, wanted)
    return { ...wanted, ...(await host.apply(tool, [{ path: layout.ownConfigPath, content }])) }
  } catch (error) {
    const fewer = withoutDuplicates(error, wanted, layout)
    if (fewer === undefined) throw error
    return applyWithoutDuplicates(parts, fewer)
  }
}

function withoutDuplicates(
  error: unknown,
  wanted: OwnConfigParts,
  layout: NginxLayout,
): OwnConfigParts | undefined {
  if (!(error instanceof Problem) || error.kind !== ConfigRejected) return undefined
  const taken = /a duplicate default server for (\S+)/.exec(error.message)?.[1]
  const isTls = taken !== undefined && layout.listenTls.some((address) => isAt(address, taken))
  if (wanted.hasDefaultTls && isTls) return { ...wanted, hasDefaultTls: false }
  if (wanted.hasDefaultServer && taken !== undefined) return { ...wanted, hasDefaultServer: false }
  if (wanted.hasNamesHash && /"server_names_hash_\w+" directive is duplicate/.test(error.message))
    return { ...wanted, hasNamesHash: false }
  return undefined
}

/** nginx names the port 443 as `0.0.0.0:443`. */
const isAt = (address: string, named: string): boolean => address === named || `0.0.0.0:${address}` === named

async function writeIfAbsent(files: Files, path: string, content: string): Promise<void> {
  if ((await files.facts(path)) === undefined) await files.write(path, content)
}

function dirnameOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
