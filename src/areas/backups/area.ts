import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { settings } from '../settings/index.ts'
import { users } from '../users/index.ts'
import { type Context, openBackups } from './context.ts'
import * as endpoints from './endpoints.ts'
import { createBackupSettings } from './migrations/202611280400-backup-settings.ts'
import { createBackupThrottle } from './migrations/202611291725-backup-throttle.ts'
import { backingUp } from './panel/backups.ts'
import * as panelModel from './panel/model.ts'
import * as settingsModel from './settings/model.ts'

export const backups = area({
  name: 'backups',
  title: 'Backups',
  base: '/settings/backup',
  bases: ['/system/backup'],
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: { ...settingsModel, ...panelModel },
  jobs: [backingUp],
  steps: ({ backups: { panel } }: Context) => [panel.put, panel.drop, panel.stage],
  uses: [settings, users],
  migrations: [createBackupSettings, createBackupThrottle],
  open: (deps: Deps): Context => ({ backups: openBackups(deps) }),
})
