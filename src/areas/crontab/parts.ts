import { step } from '../../core/change.ts'
import { contribution } from '../../core/point.ts'
import { siteParts } from '../websites/index.ts'
import type { Crontabs } from './context.ts'
import { writing } from './crontab.ts'
import { crontabs } from './store.ts'

/** A crontab ends with its website, and stops while the website is suspended. */
export const crontabsOfWebsites = (on: Crontabs) =>
  contribution(siteParts, {
    deleted: async (site) => {
      if ((await on.queries.find(site.id)) === undefined) return {}
      return {
        steps: [step(on.cron.steps.writeCrontab, { siteId: site.id, content: null })],
        rows: [crontabs.delete({ website_id: site.id })],
      }
    },
    suspended: async (site, isSuspended) => {
      const row = await on.queries.find(site.id)
      if (row === undefined) return []
      return [writing(on, { ...site, is_suspended: isSuspended ? 1 : 0 }, row.crontab)]
    },
  })
