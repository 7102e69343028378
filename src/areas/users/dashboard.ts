import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { firstSteps } from '../dashboard/index.ts'
import type { Users } from './context.ts'

/** The first step of the area on the dashboard. */
export const onDashboard = ({ queries }: Users) => [
  contribution(firstSteps, {
    name: 'first-user',
    order: 30,
    title: 'Add a user',
    detail: 'Give each person an account of their own, so that the activity log tells who did what.',
    link: '/users',
    guard: permission('booting_users_management'),
    isDone: async () => (await queries.page({ sort: 'id', page: 1, per_page: 1 })).total > 1,
  }),
]
