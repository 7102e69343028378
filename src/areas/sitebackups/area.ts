import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { backups } from '../backups/index.ts'
import { certificates } from '../certificates/index.ts'
import { crontab } from '../crontab/index.ts'
import { databases } from '../databases/index.ts'
import { notifications } from '../notifications/index.ts'
import { machine } from '../machine/index.ts'
import { users } from '../users/index.ts'
import { websites } from '../websites/index.ts'
import { backingUp } from './back-up.ts'
import { clearing } from './clear-up.ts'
import { copying } from './copy-to-s3.ts'
import { type Context, openBackups } from './context.ts'
import * as endpoints from './endpoints.ts'
import { drilling, drillingAll } from './drills/drilling.ts'
import * as drillModel from './drills/model.ts'
import { noticesOfDrills, noticesOfOldProofs } from './drills/notices.ts'
import { createWebsiteBackups } from './migrations/202611280430-website-backups.ts'
import { createBackupDrills } from './migrations/202611291550-backup-drills.ts'
import { createBackupRetention } from './migrations/202611291720-backup-retention.ts'
import * as model from './model.ts'
import { backupsOfWebsites, dumpsOnS3 } from './parts.ts'
import { restoring, restoringInBulk } from './restore.ts'

export const sitebackups = area({
  name: 'sitebackups',
  title: 'Backups',
  base: '/backups',
  bases: ['/websites', '/settings/backup'],
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints,
  schemas: {
    Backup: model.Backup,
    BackupSet: model.BackupSet,
    SetDraft: model.SetDraft,
    Protection: model.Protection,
    Drill: drillModel.Drill,
    DrillState: drillModel.DrillState,
    DrillSettings: drillModel.DrillSettings,
    DrillReport: drillModel.DrillReport,
  },
  jobs: [backingUp, clearing, copying, drilling, drillingAll, restoring, restoringInBulk],
  migrations: [createWebsiteBackups, createBackupDrills, createBackupRetention],
  steps: ({ backups: on }: Context) => Object.values(on.steps),
  uses: [backups, websites, users, notifications, machine, databases, crontab, certificates],
  contributes: ({ backups: on }: Context) => [
    backupsOfWebsites(on),
    dumpsOnS3(on),
    noticesOfDrills(on),
    noticesOfOldProofs(on),
  ],
  menu: { group: 'Hosting', path: '/backups', order: 70 },
  needs: ['gnupg'],
  open: (deps: Deps): Context => ({ backups: openBackups(deps) }),
})
