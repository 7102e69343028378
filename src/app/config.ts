import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import {
  assertStartable,
  effectiveSettings,
  type Environment,
  type EffectiveSetting,
  parseToml,
  SettingInvalid,
  type SettingName,
  TomlInvalid,
  valuesOf,
  variableOf,
} from '../areas/settings/index.ts'
import type { PanelConfiguration } from '../areas/deps.ts'
import { dataFolderUnusable } from './cannot-start.ts'

export { listOf } from '../areas/settings/index.ts'

export type Config = Readonly<Record<SettingName, string>> & {
  readonly settings: readonly EffectiveSetting[]
  /** Where the settings were read, for the page that shows and changes them. */
  readonly configuration: PanelConfiguration
}

/** The configuration cannot be used. */
export class ConfigInvalid extends Error {}

/** The data folder, in which config.toml is looked for. */
export const dataFolderOf = (environment: Environment): string => environment['HOSTREEVE_DATA_DIR'] ?? './var'

/** Reads the settings: the environment, then config.toml in the data directory, then defaults. */
export function readConfig(environment: Environment): Config {
  const folder = dataFolderOf(environment)
  const path = environment['HOSTREEVE_CONFIG'] ?? `${folder}/config.toml`
  const file = readFile(path, folder)
  const settings = checked(() => effectiveSettings(environment, file))
  const values = valuesOf(settings)
  checked(() => assertStartable(values))
  return { ...values, settings, configuration: { path: resolve(path), environment, running: values } }
}

const MiB = 1024 * 1024

/** The limits of the file history of one hosting user. */
export function historyOf({ history_mib, history_days, history_file_mib }: Config) {
  return {
    quotaBytes: Number(history_mib) * MiB,
    maxAgeDays: Number(history_days),
    maxFileBytes: Number(history_file_mib) * MiB,
  }
}

/** Where the store is. */
export const placeOfStore = ({ data_dir, database_url }: Config) => ({
  dataDir: data_dir,
  ...(database_url !== '' && { databaseUrl: database_url }),
})

function readFile(path: string, folder: string): Readonly<Record<string, unknown>> {
  try {
    return parseToml(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof TomlInvalid) throw new ConfigInvalid(`${path}: ${error.message}`, { cause: error })
    const { code = '' } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    if (dirname(path) === folder && ['EACCES', 'ENOTDIR'].includes(code))
      throw dataFolderUnusable(folder, error)
    throw new ConfigInvalid(`${path}: ${(error as Error).message}`, { cause: error })
  }
}

function checked<Value>(work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof SettingInvalid)) throw error
    throw new ConfigInvalid(`${variableOf(error.setting)}: ${error.message}`, { cause: error })
  }
}
