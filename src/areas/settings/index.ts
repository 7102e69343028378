export { settings } from './area.ts'
export type { SettingName } from './definitions.ts'
export {
  assertDatabase,
  assertStartable,
  effectiveSettings,
  type EffectiveSetting,
  type Environment,
  listOf,
  SettingInvalid,
  valuesOf,
  variableOf,
} from './effective.ts'
export { EditImpossible, editToml, literalsOf, parseToml, TomlInvalid } from './toml-text.ts'
