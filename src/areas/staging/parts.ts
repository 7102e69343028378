import { contribution } from '../../core/point.ts'
import { siteParts } from '../websites/index.ts'
import type { Staging } from './context.ts'
import { stagingCopies } from './store.ts'

/** What the panel knows of a copy goes with its website, also to another owner. */
export const copiesOfWebsites = ({ queries }: Staging) =>
  contribution(siteParts, {
    deleted: async () => ({}), // the row goes with that of the website
    suspended: async () => [],
    moved: async (site, next) => {
      if (site.user_id === next.user_id || (await queries.find(site.id)) === undefined) return {}
      return { rows: [stagingCopies.updateWhere({ website_id: site.id }, { user_id: next.user_id })] }
    },
  })
