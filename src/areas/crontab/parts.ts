import { step } from '../../core/change.ts'
import { contribution } from '../../core/point.ts'
import { siteParts } from '../websites/index.ts'
import type { Crontabs } from './context.ts'
import { writing } from './crontab.ts'
import { crontabs } from './store.ts'

/** A crontab ends with its website, stops while the website is suspended, and goes with it to another domain or owner. */
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
    moved: async (site, next) => {
      const row = await on.queries.find(site.id)
      if (row === undefined) return {}
      if (site.username === next.username) return { steps: [writing(on, next, row.crontab)] }
      const crontab = row.crontab.replaceAll(/^(?=[ \t]*MAILTO\b)/gm, '# ') // the former owner gets no mail of the new one
      return {
        steps: [writing(on, next, crontab)],
        rows: [
          crontabs.delete({ website_id: site.id }),
          crontabs.insert(crontabs.row({ website_id: site.id, crontab })),
        ],
      }
    },
  })
