import { step } from '../../core/change.ts'
import { contribution } from '../../core/point.ts'
import { dumpStorage } from '../databases/index.ts'
import { siteParts } from '../websites/index.ts'
import type { Backups } from './context.ts'
import { backupDrills } from './drills/store.ts'
import { removedSet } from './sets.ts'

/** Exports of databases are uploaded to the S3 server of the backups. */
export const dumpsOnS3 = ({ policies, steps }: Backups) =>
  contribution(dumpStorage, {
    upload: async (dump) =>
      (await policies.storage()) === undefined ? undefined : step(steps.uploadDump, dump),
  })

/** The sets of a website end with it; its backups stay, for a superuser to restore it from. */
export const backupsOfWebsites = (on: Backups) =>
  contribution(siteParts, {
    deleted: async (site) => {
      const sets = await on.queries.setsOf(site.id)
      const points = await on.depot.points(site)
      return {
        details: points.length === 0 ? [] : [`The ${points.length} backups of ${site.domain} stay`],
        rows: [...sets.flatMap(removedSet), backupDrills.delete({ website_id: site.id })],
      }
    },
    suspended: async () => [],
  })
