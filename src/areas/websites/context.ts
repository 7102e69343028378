import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { type Users, users } from '../users/index.ts'
import { siteFolders } from './folders.ts'
import { websiteQueries } from './store.ts'
import { rewriteVerb } from './rewrite.ts'
import { websiteVerbs } from './websites.ts'

/** Opens the area on its store, the users, nginx and the owners' folders. */
export function openWebsites({ store, host, tools, use }: Deps) {
  const queries = websiteQueries(store)
  const own: Users = use(users).users
  const folders = siteFolders(host, own)
  return {
    ...queries,
    ...websiteVerbs({ queries, users: own, nginx: tools.nginx, folders }),
    rewriteAll: rewriteVerb({ queries, users: own, nginx: tools.nginx }),
    folders,
    logTail: tools.nginx.logTail,
    pruneDeletedLogs: () => tools.nginx.pruneDeletedLogs(store.trustedNow()),
  }
}

export interface Context {
  readonly websites: ReturnType<typeof openWebsites>
}

export const { endpoint, job } = area.of<Context>()
