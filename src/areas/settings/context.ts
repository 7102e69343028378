import { area } from '../../core/area.ts'
import type { Host } from '../../host/index.ts'
import type { Deps, PanelConfiguration } from '../deps.ts'
import { editSettings } from './step.ts'

/** The settings of the panel, as the verbs of the area reach them. */
export interface Settings {
  readonly files: Host['files']
  readonly addresses: Pick<Host['addresses'], 'own'>
  readonly configuration: PanelConfiguration
  readonly edit: ReturnType<typeof editSettings>
}

/** Binds the area to the host. */
export function openSettings({ host: { files, addresses }, settings: { configuration } }: Deps): Settings {
  return { files, addresses, configuration, edit: editSettings(files) }
}

export interface Context {
  readonly settings: Settings
}

export const { endpoint } = area.of<Context>()
