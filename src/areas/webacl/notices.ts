import { contribution } from '../../core/point.ts'
import { type Notice, noticed } from '../notifications/index.ts'
import { ruledOwners } from '../websites/index.ts'
import type { Webacl } from './context.ts'

type Reporting = Pick<Webacl, 'websites' | 'nginx'>

/** Tells superusers of rules that nginx could not load, so that websites are served without them or not at all. */
export const noticesOfRules = (on: Reporting) =>
  contribution(noticed, {
    name: 'webacl',
    kinds: [{ name: 'access_rules_damaged', title: 'Access rules of websites cannot be read' }],
    after: { seconds: 300 },
    read: () => readNotices(on),
  })

/** Returns the owners whose rules nginx could not load. */
export async function readNotices({ websites, nginx }: Reporting): Promise<readonly Notice[]> {
  const notices: Notice[] = []
  for (const { owner, digest, isClosed } of await ruledOwners(websites)) {
    const problem = (await nginx.accessReport(owner))?.problem
    if (problem === undefined) continue
    const site = (await websites.queries.all()).find(({ user_id }) => user_id === owner)
    const whose = site?.username ?? `user ${owner}`
    notices.push({
      kind: 'access_rules_damaged',
      key: `access-rules:${owner}:${digest}`,
      group: `access-rules:${owner}`,
      lasts: true,
      to: 'superusers',
      title: `The access rules of ${whose} cannot be read`,
      message: `${
        isClosed ? 'Their websites answer 503' : 'Their websites are served without them'
      } until the rules are applied again. nginx says: ${problem}`.slice(0, 500),
      link: '/webacl',
    })
  }
  return notices
}
