import { contribution } from '../../core/point.ts'
import { noticed } from '../notifications/index.ts'
import type { Mcp } from './context.ts'

const most = 100

/** Tells superusers that a change of an agent waits for a decision. */
export const noticesOfPlans = ({ approvals, queries }: Pick<Mcp, 'approvals' | 'queries'>) =>
  contribution(noticed, {
    name: 'agents',
    kinds: [{ name: 'agent_plan_waits', title: 'A change of an agent waits for approval' }],
    after: ['mcp_approvals'],
    read: async (since) => {
      const asked = await approvals.askedAfter(since, most)
      const names = new Map((await queries.all()).map(({ id, name }) => [id, name]))
      return asked.map(({ id, key_id: keyId, summary, expires_at: end }) => ({
        kind: 'agent_plan_waits',
        key: `plan:${id}`,
        group: `key:${keyId}`,
        to: 'superusers',
        title: `An agent asks: ${summary}`.slice(0, 200),
        message: `The key ${names.get(keyId) ?? keyId} asks for this change. The plan waits until ${end}.`,
        link: '/mcp/approvals',
      }))
    },
  })
