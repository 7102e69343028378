import Type, { type Static, type TSchema } from 'typebox'
import { OneOf, Optional, Secret, Text } from '../../core/schemas.ts'
import { mapKeys } from '../../core/tool.ts'
import { settingGroups } from './definition.ts'
import { definitionOf, type SettingName, settingNames } from './definitions.ts'

const Name = OneOf(settingNames as readonly [SettingName, ...SettingName[]], { description: 'Name' })

export const PanelSetting = Type.Object({
  name: Name,
  title: Text(100),
  group: OneOf(settingGroups, { description: 'Part of the page' }),
  description: Text(300),
  kind: OneOf(['text', 'number', 'choice', 'secret'], { description: 'Kind of its value' }),
  value: Type.Union([Text(2000), Type.Integer({ minimum: 0, maximum: 1_000_000 }), Type.Null()], {
    description: 'Value at the next start; null if it is a secret, or not set',
  }),
  set: Type.Boolean({ description: 'Whether it has a value; all that is shown of a secret' }),
  source: OneOf(['environment', 'config.toml', 'default'], { description: 'Where the value comes from' }),
  variable: Text(100, { description: 'Variable of the environment that takes precedence' }),
  read_only: Type.Boolean({
    description: 'Whether the environment or a table of the file sets it, so that it cannot be changed here',
  }),
  needs_restart: Type.Boolean({
    description: 'Whether a change takes effect at the next start; the others matter to the first start only',
  }),
  pending: Type.Boolean({ description: 'Whether the panel still runs with another value' }),
})
export type PanelSetting = Static<typeof PanelSetting>

export const PanelSettings = Type.Object({
  file: Text(4096, { description: 'The file that changes are written to' }),
  settings: Type.Array(PanelSetting, { maxItems: 100 }),
  restart_needed: Type.Array(Name, {
    maxItems: 100,
    description: 'Settings whose new values take effect once the panel is restarted',
  }),
})
export type PanelSettings = Static<typeof PanelSettings>

/** New values by name; null removes one from the file, so that its default applies. */
export const PanelSettingsEdit = Type.Object(mapKeys(settingNames, editOf))
export type PanelSettingsEdit = Static<typeof PanelSettingsEdit>

function editOf(name: SettingName) {
  const { title, meaning, isSecret, choices, least = 0, most } = definitionOf(name)
  const text = { minLength: 1, pattern: '^[^\\u0000-\\u001f\\u007f]*$' }
  const about = (expects: string) => ({ title, description: meaning, expects })
  const orNull = (value: TSchema, expects: string) =>
    Optional(Type.Unsafe<string | number | null>(Type.Union([value, Type.Null()], about(expects))))
  if (isSecret) return orNull(Secret(text), 'text of 1 to 1024 characters on one line')
  if (choices) return orNull(OneOf(choices), `one of ${choices.join(', ')}`)
  if (most !== undefined)
    return orNull(Type.Integer({ minimum: least, maximum: most }), `a whole number from ${least} to ${most}`)
  return orNull(Text(2000, { minLength: 1 }), 'text of 1 to 2000 characters on one line')
}
