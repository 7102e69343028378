import { local } from '../../core/endpoint.ts'
import { data } from '../../core/reply.ts'
import { endpoint } from './context.ts'
import { PanelSettings, PanelSettingsEdit } from './model.ts'
import * as panel from './panel.ts'
import { FileInvalid, SetByEnvironment, SetInTable, ValueInvalid } from './problems.ts'

export const readPanelSettings = endpoint({
  method: 'GET',
  path: '/panel',
  summary: 'Read the settings of the panel, and where each value comes from',
  effect: 'reads',
  reply: data(PanelSettings),
  throws: { config_invalid: FileInvalid },
  run: ({ settings }) => panel.readPanelSettings(settings),
})

export const editPanelSettings = endpoint({
  method: 'PATCH',
  path: '/panel',
  summary: 'Change settings of the panel',
  description:
    'They are written to the configuration file of the panel. null resets a setting to its default.',
  effect: 'changes',
  changesAccess: true,
  category: local('the settings of this panel'),
  body: PanelSettingsEdit,
  reply: data(PanelSettings),
  throws: {
    bad_request: ValueInvalid,
    set_by_environment: SetByEnvironment,
    config_invalid: [FileInvalid, SetInTable],
  },
  run: ({ body, settings }) => panel.editPanelSettings(settings, body),
})
