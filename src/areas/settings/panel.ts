import { type Change, change, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { isAddress } from '../../host/fetch/index.ts'
import { isMasked } from '../../core/secret.ts'
import type { Settings } from './context.ts'
import { definitionOf, type SettingName, settingNames } from './definitions.ts'
import { assertStartable, type EffectiveSetting, SettingInvalid, valuesOf, variableOf } from './effective.ts'
import { editedFile, readSettingsFile, settingsWith } from './file.ts'
import type { PanelSetting, PanelSettings, PanelSettingsEdit } from './model.ts'
import { SetByEnvironment, SetInTable, ValueInvalid } from './problems.ts'
import { literalOf } from './toml-text.ts'

const settingsLock = singleLock('panel-settings')

/** Returns every setting with its value at the next start and its source; of secrets only whether they are set. */
export async function readPanelSettings(on: Settings): Promise<PanelSettings> {
  const { path, environment } = on.configuration
  const text = (await readSettingsFile(on.files, path)) ?? ''
  return show(on, settingsWith(path, environment, text))
}

/** Writes settings to the settings file, if the panel can start with them. */
export async function editPanelSettings(
  on: Settings,
  edit: PanelSettingsEdit,
): Promise<Change<PanelSettings>> {
  const { path, environment } = on.configuration
  const wanted = wantedOf(edit)
  for (const { name } of wanted)
    if (environment[variableOf(name)] !== undefined)
      throw SetByEnvironment(
        `${name}: the environment sets it by ${variableOf(name)}; change it there and restart the panel`,
      )
  const text = (await readSettingsFile(on.files, path)) ?? ''
  const before = settingsWith(path, environment, text)
  for (const { name, table } of before)
    if (table !== undefined && edit[name] !== undefined)
      throw SetInTable(
        `${name}: is in the table [${table}] of ${path}; change it there and restart the panel`,
      )
  const changed = wanted.filter(({ name, value }) => valueIn(before, name) !== textOf(value))
  const literals = Object.fromEntries(
    changed.map(({ name, value }) => [name, value === null ? null : literalOf(value)]),
  )
  const next = settingsWith(path, environment, editedFile(path, text, literals))
  assertUsable(next)
  assertOwnAddress(on, edit)
  const names = changed.map(({ name }) => name).join(', ')
  return change({
    summary: names === '' ? 'Keep the settings of the panel' : `Change settings of the panel: ${names}`,
    locks: [settingsLock],
    steps: names === '' ? [] : [step(on.edit, { path, literals })],
    reply: show(on, next),
  })
}

interface Wanted {
  readonly name: SettingName
  readonly value: string | number | null
}

/** A masked secret keeps the stored one. */
function wantedOf(edit: PanelSettingsEdit): readonly Wanted[] {
  return settingNames.flatMap((name) => {
    const value = edit[name]
    if (value === undefined) return []
    return definitionOf(name).isSecret && typeof value === 'string' && isMasked(value)
      ? []
      : [{ name, value }]
  })
}

const textOf = (value: string | number | null): string | undefined =>
  value === null ? undefined : String(value)
const valueIn = (settings: readonly EffectiveSetting[], name: SettingName): string | undefined =>
  settings.find((each) => each.name === name && each.source === 'config.toml')?.value

function assertUsable(settings: readonly EffectiveSetting[]): void {
  try {
    assertStartable(valuesOf(settings))
  } catch (error) {
    if (!(error instanceof SettingInvalid)) throw error
    throw ValueInvalid(`${error.setting}: ${error.message}`, { cause: error })
  }
}

/** The panel could not listen on the address of another host at its next start. */
function assertOwnAddress({ addresses }: Settings, { host }: PanelSettingsEdit): void {
  if (typeof host !== 'string' || !isAddress(host) || /^(?:127\.|0\.0\.0\.0$|::1?$)/.test(host)) return
  const own = addresses.own()
  if (!own.includes(host))
    throw ValueInvalid(`host: ${host} is no address of this host, which has ${own.join(', ') || 'none'}`)
}

function show({ configuration }: Settings, effective: readonly EffectiveSetting[]): PanelSettings {
  const settings = effective.map((each) => showSetting(each, configuration.running[each.name]))
  return {
    file: configuration.path,
    settings,
    restart_needed: settings.filter(({ pending }) => pending).map(({ name }) => name),
  }
}

function showSetting(
  { name, value, source, meaning, isSecret, table }: EffectiveSetting,
  running: string | undefined,
): PanelSetting {
  const { title, group, choices, most, isForFirstStart = false } = definitionOf(name)
  const isNumber = most !== undefined
  const shown = isNumber && /^\d{1,9}$/.test(value) ? Number(value) : value
  return {
    name,
    title,
    group,
    description: meaning,
    kind: isSecret ? 'secret' : isNumber ? 'number' : choices ? 'choice' : 'text',
    value: isSecret || value === '' ? null : shown,
    set: value !== '',
    source,
    variable: variableOf(name),
    read_only: source === 'environment' || table !== undefined,
    needs_restart: !isForFirstStart,
    pending: !isForFirstStart && value !== running,
  }
}
