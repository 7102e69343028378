import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { sourcesOf, typeOf, unquoted } from '../../tools/php/directives.ts'
import { isPoolSetting, phpVersionLock, renewedPools } from '../websites/index.ts'
import type { PhpArea } from './context.ts'
import type { PhpConfig, PhpConfigEdit } from './model.ts'
import { SettingInvalid } from './problems.ts'
import { assertInstalled, phpLock } from './versions.ts'

/** Returns the directives of a version, with their effective values and where these come from. */
export async function readConfig(on: PhpArea, version: string): Promise<PhpConfig> {
  await assertInstalled(on, version)
  const { tool } = on
  const [reported, builtIn, files] = await Promise.all([
    tool.directives(version, 'as installed'),
    tool.directives(version, 'none'),
    tool.iniFiles(version),
  ])
  const path = tool.iniPath(version)
  const sources = sourcesOf(files)
  const own = sourcesOf(files.filter((file) => file.path === path))
  const directives = [...reported].map(([name, effective]) => {
    const written = own.get(name)?.written
    return {
      name,
      value: written === undefined ? null : unquoted(written),
      effective,
      built_in: builtIn.get(name) ?? null,
      source: sources.get(name)?.path ?? null,
      expects: typeOf(name, builtIn.get(name) ?? effective).expects,
      is_set_per_website: isPoolSetting(name),
    }
  })
  return { version, path, directives: directives.toSorted((one, other) => (one.name < other.name ? -1 : 1)) }
}

/** Sets directives in the php.ini of a version, and reloads its pools. */
export async function changeConfig(
  on: PhpArea,
  version: string,
  { settings }: PhpConfigEdit,
): Promise<Change<{ success: true }>> {
  await assertInstalled(on, version)
  const { tool, services } = on
  const isEmpty = Object.keys(settings).length === 0
  if (!isEmpty) await assertPossible(on, version, settings)
  const runsPackaged = (await services.startedAt(`php${version}-fpm`)) !== undefined
  const pools = await renewedPools(on.websites, { ini: { version, settings } })
  return change({
    summary: `Set ${Object.keys(settings).join(', ') || 'nothing'} of PHP ${version}`,
    locks: [phpLock, phpVersionLock(version), ...pools.locks],
    steps: isEmpty
      ? []
      : [
          step(tool.steps.editIni, { version, settings }),
          ...pools.steps,
          ...(runsPackaged ? [step(tool.steps.switchService, { version, verb: 'reload' })] : []),
        ],
    reply: success,
  })
}

async function assertPossible(
  { tool }: PhpArea,
  version: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  const [reported, builtIn, files] = await Promise.all([
    tool.directives(version, 'as installed'),
    tool.directives(version, 'none'),
    tool.iniFiles(version),
  ])
  const sources = sourcesOf(files)
  const path = tool.iniPath(version)
  for (const [name, value] of Object.entries(settings)) {
    const now = reported.get(name)
    if (now === undefined) throw SettingInvalid(`settings: PHP ${version} has no directive ${name}`)
    const { expects, isValid } = typeOf(name, builtIn.get(name) ?? now)
    if (!isValid(value)) throw SettingInvalid(`settings: ${name} must be ${expects}`)
    const source = sources.get(name)?.path ?? path
    if (source !== path)
      throw SettingInvalid(`settings: ${name} is set in ${source}, which PHP reads after php.ini`)
  }
}
