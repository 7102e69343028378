import { insertRow } from '../../src/store/rows.ts'
import type { TestPanel } from './panel.ts'

interface WebsiteDraft {
  readonly domain: string
  readonly userId: number
  readonly username?: string
  readonly type?: 'static' | 'php' | 'proxy'
  readonly at?: Date
}

/** Adds a website to the store, without a file or a folder; returns its id. */
export async function addWebsite(
  { store }: Pick<TestPanel, 'store'>,
  { domain, userId, username = 'ada', type = 'static', at = new Date() }: WebsiteDraft,
): Promise<number> {
  const id = store.nextId('websites')
  const [created_at, updated_at] = [at.toISOString(), at.toISOString()]
  const row = {
    ...{ id, domain, user_id: userId, username, type, root: `/home/${username}/sites/${domain}/public` },
    ...{ is_suspended: 0, certificate: null, https_redirect: 0, hsts: 0 },
    ...{ created_at, updated_at, revision: 1 },
  }
  await store.transaction((tx) => store.write(tx, [insertRow('websites', row)]))
  return id
}
