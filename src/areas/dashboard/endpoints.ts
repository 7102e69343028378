import { data } from '../../core/reply.ts'
import { endpoint } from './context.ts'
import { Dashboard } from './model.ts'
import { readDashboard } from './read.ts'

export const getDashboard = endpoint({
  method: 'GET',
  path: '',
  summary: 'Read what each area says of its state, and the first steps that are left',
  effect: 'reads',
  reply: data(Dashboard),
  run: ({ dashboard, ...reading }) => readDashboard(dashboard, reading),
})
