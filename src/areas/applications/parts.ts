import { contribution } from '../../core/point.ts'
import { siteParts } from '../websites/index.ts'
import type { Applications } from './context.ts'
import { applications } from './store.ts'

/** What the panel knows of an application goes with its website, also to another owner. */
export const applicationsOfWebsites = ({ queries }: Applications) =>
  contribution(siteParts, {
    deleted: async () => ({}), // the row goes with that of the website
    suspended: async () => [],
    moved: async (site, next) => {
      if (site.user_id === next.user_id || (await queries.ofWebsite(site.id)) === undefined) return {}
      return { rows: [applications.updateWhere({ website_id: site.id }, { user_id: next.user_id })] }
    },
  })
