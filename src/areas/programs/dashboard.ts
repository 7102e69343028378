import type { Detected } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { firstSteps, type TileContent, tiles } from '../dashboard/index.ts'
import { webServerNames } from '../../tools/web-server.ts'
import type { Programs } from './context.ts'

const isWebServer = (name: string): boolean => webServerNames.some((server) => server === name)

/** The health of the programs that the panel drives, on the dashboard. */
export const onDashboard = ({ survey }: Programs) => {
  const detected = async (): Promise<readonly Detected[]> => {
    const all = (await survey()).flatMap(({ programs }) => programs)
    return withoutResting([...new Map(all.map((each) => [each.program, each])).values()])
  }
  return [
    contribution(tiles, {
      name: 'programs',
      title: 'Software',
      link: '/programs',
      guard: superuser,
      read: async () => tileOf((await detected()).filter(({ present }) => present)),
    }),
    contribution(firstSteps, {
      name: 'web-server',
      order: 10,
      title: 'Install the web server',
      detail: 'nginx serves the websites of this host.',
      link: '/programs',
      guard: superuser,
      isDone: async () => (await detected()).some(({ program, present }) => present && isWebServer(program)),
    }),
  ]
}

/** Where one web server serves, the other one rests: it has not failed. */
function withoutResting(found: readonly Detected[]): readonly Detected[] {
  const isServed = found.some(({ program, healthy }) => healthy && isWebServer(program))
  return found.filter(({ program, healthy }) => healthy || !isServed || !isWebServer(program))
}

/** Programs that do not work come first. */
function tileOf(installed: readonly Detected[]): TileContent {
  const failing = installed.filter(({ healthy }) => !healthy)
  const summary =
    failing.length > 0
      ? `${failing.length} of ${installed.length} installed programs ${failing.length === 1 ? 'does' : 'do'} not work`
      : `All ${installed.length} installed programs work`
  return {
    state: failing.length > 0 ? 'failing' : installed.length > 0 ? 'ok' : 'none',
    summary: installed.length > 0 ? summary : 'No program is installed',
    items: installed
      .toSorted((one, other) => Number(one.healthy) - Number(other.healthy))
      .map(({ program, version, healthy, reason }) => ({
        title: program,
        detail: reason ?? (version === null ? '' : `Version ${version}`),
        state: healthy ? 'ok' : 'failed',
      })),
  }
}
