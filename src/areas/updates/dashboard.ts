import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { type TileContent, tiles } from '../dashboard/index.ts'
import type { UpdatesArea } from './context.ts'
import type { Updates } from './model.ts'

const shown = 5

/** The pending updates, and whether the host must be restarted, on the dashboard. */
export const onDashboard = ({ packages, read }: UpdatesArea) => [
  contribution(tiles, {
    name: 'updates',
    title: 'Updates',
    link: '/updates',
    guard: superuser,
    read: async (): Promise<TileContent | undefined> =>
      (await packages.detect()).kind === 'apt' ? tileOf(await read()) : undefined,
  }),
]

/** Packages that wait for somebody: security updates, and those whose set-up is incomplete. */
function tileOf({ updates, unfinished, reboot_required: isRebootRequired }: Updates): TileContent {
  const security = updates.filter((each) => each.security && !each.held)
  const counted = updates.length === 0 ? 'No updates' : `${updates.length} pending`
  const parts = [
    counted,
    ...(security.length > 0 ? [`${security.length} for security`] : []),
    ...(isRebootRequired ? ['restart required'] : []),
  ]
  return {
    state: unfinished.length > 0 ? 'failing' : security.length > 0 || isRebootRequired ? 'attention' : 'ok',
    summary: parts.join('; '),
    items: [
      ...unfinished.map((title) => ({ title, detail: 'The set-up is incomplete', state: 'failed' })),
      ...security.map((each) => ({
        title: each.package,
        detail: `${each.current ?? 'new'} to ${each.candidate}`,
      })),
    ].slice(0, shown),
  }
}
