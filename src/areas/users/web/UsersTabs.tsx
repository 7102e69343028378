import { PageTabs } from '../../../web/kit/PageTabs.tsx'
import { useMe } from '../../auth/web/queries.ts'

const tabs = [
  { to: '/users', label: 'Users' },
  { to: '/users/limits', label: 'Limits' },
]

/** The pages on users; limits are for superusers. */
export function UsersTabs() {
  return useMe().data?.is_admin === true ? <PageTabs label="Pages of users" tabs={tabs} /> : null
}
