import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, openBackups } from './context.ts'
import { createBackupSettings } from './migrations/202611280400-backup-settings.ts'
import * as settingsEndpoints from './settings/endpoints.ts'
import * as settingsModel from './settings/model.ts'

export const backups = area({
  name: 'backups',
  title: 'Backups',
  base: '/settings/backup',
  bases: ['/system/backup'],
  guard: superuser,
  errors: 'coded',
  endpoints: { ...settingsEndpoints },
  schemas: { ...settingsModel },
  migrations: [createBackupSettings],
  open: (deps: Deps): Context => ({ backups: openBackups(deps) }),
})
