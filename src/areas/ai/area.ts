import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import type { Deps } from '../deps.ts'
import { firewall, openPorts } from '../firewall/index.ts'
import { mcp } from '../mcp/index.ts'
import { terminal } from '../terminal/index.ts'
import { users } from '../users/index.ts'
import * as channelModel from './channel-model.ts'
import { portsOfAssistant } from './console.ts'
import * as consoleModel from './console-model.ts'
import { type Context, openAssistant } from './context.ts'
import * as crontabModel from './crontab-model.ts'
import * as endpoints from './endpoints/index.ts'
import { createAssistant } from './migrations/202611281740-assistant.ts'
import * as model from './model.ts'
import { settingUp } from './setup.ts'
import { updating } from './update.ts'
import * as vaultModel from './vault-model.ts'

export const ai = area({
  name: 'ai',
  title: 'Assistant',
  base: '/ai',
  guard: permission('administrative_operations'),
  errors: 'coded',
  endpoints,
  schemas: { ...model, ...channelModel, ...consoleModel, ...crontabModel, ...vaultModel },
  jobs: [settingUp, updating],
  migrations: [createAssistant],
  uses: [firewall, users, mcp, terminal],
  menu: { group: 'Agents', path: '/assistant', order: 20 },
  contributes: ({ ai }: Context) => [contribution(openPorts, () => portsOfAssistant(ai))],
  open: (deps: Deps): Context => ({ ai: openAssistant(deps) }),
})
