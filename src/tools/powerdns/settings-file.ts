import type { StepKind } from '../../core/change.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import type { Host } from '../../host/index.ts'
import type { PowerdnsApi } from './api.ts'
import { untilAnswering } from './await-answer.ts'
import { linuxAccount } from './layout.ts'

/** The further files of settings: one for replication, and one for LUA records. Their names sort after hostreeve.conf. */
export type SettingsFile = 'replication' | 'rules'

interface SettingsArgs {
  readonly file: SettingsFile
  /** Empty removes the file. */
  readonly settings: readonly (readonly [name: string, value: string])[]
}

interface SettingsState {
  readonly content: string
}

/** Returns the path of a file of settings. */
export const settingsPath = (file: SettingsFile): string => `/etc/powerdns/pdns.d/hostreeve.${file}.conf`

/** Renders settings; a value has no line break, as all of them are checked before. */
export function renderSettings(settings: SettingsArgs['settings']): string | undefined {
  if (settings.length === 0) return undefined
  for (const [name, value] of settings)
    if (!/^[a-z+-]+$/.test(name) || /[\r\n]/.test(value)) throw new Error(`the setting ${name} is invalid`)
  return ['# Written by Hostreeve.', ...settings.map(([name, value]) => `${name}=${value}`), ''].join('\n')
}

/** The step that writes a file of settings and restarts PowerDNS with it. */
export function writeSettings(
  { accounts, files, services }: Pick<Host, 'accounts' | 'files' | 'services'>,
  api: PowerdnsApi,
): StepKind<SettingsArgs, Was<SettingsState>, null> {
  const stateOf = (content: string | undefined) => (content === undefined ? undefined : { content })
  const read = async ({ file }: SettingsArgs) => stateOf(await files.read(settingsPath(file)))
  const wanted = ({ settings }: SettingsArgs) => stateOf(renderSettings(settings))
  const diff = ({ file }: SettingsArgs, was?: SettingsState, now?: SettingsState) => ({
    files: [{ path: settingsPath(file), diff: unifiedDiff(settingsPath(file), was?.content, now?.content) }],
  })
  return stateStep<SettingsArgs, SettingsState>({
    name: 'powerdns.write-settings',
    plan: ({ file }) => ({ title: `Write ${settingsPath(file)}`, details: ['PowerDNS is restarted'] }),
    preview: async (args) => diff(args, await read(args), wanted(args)),
    changed: diff,
    read,
    wanted,
    write: async ({ file }, state) => {
      const path = settingsPath(file)
      if (state === undefined) await files.remove(path)
      else {
        const account = await accounts.find(linuxAccount)
        const group = account === undefined ? {} : { gid: account.gid }
        await files.write(path, state.content, { rights: { mode: 0o640, ...group } })
      }
      await services.act('pdns', 'restart')
      await untilAnswering(api)
    },
  })
}
