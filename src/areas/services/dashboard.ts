import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { type TileContent, tiles } from '../dashboard/index.ts'
import type { ServicesArea } from './context.ts'

/** The services that failed, on the dashboard. */
export const onDashboard = ({ services }: ServicesArea) => [
  contribution(tiles, {
    name: 'services',
    title: 'Services',
    link: '/services',
    guard: permission('administrative_operations'),
    read: async (): Promise<TileContent | undefined> => {
      if (!(await services.detect()).present) return undefined
      const all = await services.list()
      const failed = all.filter(({ state }) => state.startsWith('failed'))
      const running = all.filter(({ active }) => active).length
      return {
        state: failed.length === 0 ? 'ok' : 'failing',
        summary: `${running} running${failed.length === 0 ? '' : `; ${failed.length} failed`}`,
        items: failed.map(({ name, description }) => ({
          title: name,
          detail: description,
          link: `/services/${encodeURIComponent(name)}`,
          state: 'failed',
        })),
      }
    },
  }),
]
