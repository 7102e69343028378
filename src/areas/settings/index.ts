export { settings } from './area.ts'
export type { SettingName } from './definitions.ts'
export {
  assertStartable,
  effectiveSettings,
  type EffectiveSetting,
  type Environment,
  listOf,
  SettingInvalid,
  valuesOf,
  variableOf,
} from './effective.ts'
export { parseToml, TomlInvalid } from './toml-text.ts'
