import type { TestPanel } from '../../../../test/support/panel.ts'
import { insertRow } from '../../../store/rows.ts'
import { defaultSettings } from '../../websites/settings-model.ts'

interface PhpWebsite {
  readonly domain: string
  readonly userId: number
  /** Of ada, who owns it. */
  readonly home: string
}

/** Adds a website of PHP to the store, without a pool: no test of these has PHP. */
export async function addPhpWebsite(
  { store }: Pick<TestPanel, 'store'>,
  { domain, userId, home }: PhpWebsite,
): Promise<number> {
  const id = store.nextId('websites')
  const at = new Date().toISOString()
  const website = {
    ...{
      id,
      domain,
      user_id: userId,
      username: 'ada',
      type: 'php' as const,
      root: `${home}/sites/${domain}/public`,
    },
    ...{ is_suspended: 0, certificate: null, https_redirect: 0, hsts: 0 },
    ...{ created_at: at, updated_at: at, revision: 1 },
  }
  const settings = {
    website_id: id,
    settings: JSON.stringify({ ...defaultSettings, php_version: '8.1' }),
    passwords: null,
  }
  await store.transaction((tx) =>
    store.write(tx, [insertRow('websites', website), insertRow('website_settings', settings)]),
  )
  return id
}
