import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { notify } from '../../../web/kit/notices.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { readAgain } from '../../../web/queries.ts'
import { type PanelSetting, type PanelSettings, PanelSettingsEdit } from '../model.ts'
import { settings as api } from './api.ts'

/** The change that the reader has chosen. */
export type Asking =
  | { readonly what: 'edit'; readonly group: string; readonly settings: readonly PanelSetting[] }
  | { readonly what: 'reset'; readonly setting: PanelSetting }

interface SettingDialogProps {
  readonly asking: Asking
  readonly onClose: () => void
}

/** The form of a group of settings, or the reset of one; both show the change of the file before it is made. */
export function SettingDialog({ asking, onClose }: SettingDialogProps) {
  const done = ({ restart_needed }: PanelSettings) => {
    onClose()
    const isPending = restart_needed.length > 0
    notify(isPending ? 'The settings were saved. Restart the panel to use them.' : 'The settings were saved.')
    return readAgain('settings')
  }
  if (asking.what === 'reset')
    return (
      <ChangeDialog
        title={`Reset ${asking.setting.title}`}
        confirmLabel="Reset"
        call={api.editPanelSettings({ body: { [asking.setting.name]: null } })}
        onClose={onClose}
        onDone={done}
      />
    )
  const { group, settings } = asking
  return (
    <PlannedForm
      title={`Edit settings: ${group}`}
      confirmLabel="Save"
      schema={PanelSettingsEdit}
      only={settings.map(({ name }) => name)}
      given={Object.fromEntries(settings.map(({ name, value }) => [name, value]))}
      text={Object.fromEntries(settings.map((each) => [each.name, { hint: hintOf(each) }]))}
      sendsOnlyChanges
      callOf={(body) => api.editPanelSettings({ body })}
      onClose={onClose}
      onDone={done}
    />
  )
}

function hintOf({ kind, set, description, needs_restart }: PanelSetting): string {
  const effect = needs_restart ? 'Takes effect after a restart.' : 'Used by the first start of a panel only.'
  const kept = kind === 'secret' && set ? ' Empty keeps the stored one.' : ''
  return `${description}.${kept} ${effect}`
}
