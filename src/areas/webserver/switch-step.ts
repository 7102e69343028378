import type { StepKind, StepPlan } from '../../core/change.ts'
import { NotFound, Problem } from '../../core/problem.ts'
import type { ServiceState } from '../../host/apply/steps.ts'
import { ConfigRejected } from '../../host/apply/problems.ts'
import type { Host } from '../../host/index.ts'
import { differences, type Statuses, type Visit } from '../../tools/site-client.ts'
import type { StartObstacle } from '../../tools/start-obstacle.ts'
import type { WebServer, WebServerName } from '../../tools/web-server.ts'
import { webServices } from '../../tools/web-services.ts'
import { NotSwitchable, SwitchFailed } from './problems.ts'
import { titles } from './titles.ts'

export interface SwitchArgs {
  readonly from: WebServerName
  readonly to: WebServerName
  readonly visits: readonly Visit[]
}

type Running = Pick<ServiceState, 'isActive' | 'isEnabled'>

interface SwitchBefore {
  readonly from: Running
  readonly to: Running
  readonly statuses: Statuses
}

interface Parts {
  readonly services: Pick<Host['services'], 'status' | 'act'>
  readonly reconcile: Host['reconcile']
  readonly servers: Readonly<Record<WebServerName, Pick<WebServer, 'tool' | 'siteNames' | 'startObstacle'>>>
  readonly visit: (visits: readonly Visit[]) => Promise<Statuses>
}

const rest: Running = { isActive: false, isEnabled: false }
const duty: Running = { isActive: true, isEnabled: true }

/**
 * The step that stops one web server and starts the other, and fails unless every website answers as before. Both listen on
 * port 80: the one that rests is always brought to rest first.
 */
export function switchStep(parts: Parts): StepKind<SwitchArgs, SwitchBefore, null> {
  const { services, servers, reconcile, visit } = parts
  const stateOf = (name: WebServerName) => stateOfService(services, webServices[name])
  const bring = (name: WebServerName, state: Running) => bringService(services, webServices[name], state)
  const serve = async (name: WebServerName, state: Running) => {
    await bring(name, state)
    if (state.isActive) await reconcile(servers[name].tool)
  }
  const isWanted = async ({ from, to }: SwitchArgs) =>
    isLike(await stateOf(from), rest) && isLike(await stateOf(to), duty)
  return {
    name: 'webserver.switch',
    plan: planOf,
    preview: async ({ to }) => {
      // its files of sites may be old ones, which the step before replaces and checks
      const obstacle = await servers[to].startObstacle(await servers[to].siteNames())
      return obstacle === undefined ? {} : { refused: refusalBy(to, obstacle) }
    },
    observe: async ({ from, to, visits }) => {
      const former = { from: await stateOf(from), to: await stateOf(to) }
      if (!former.to.isActive) await assertStartable(servers, to)
      return { ...former, statuses: await visit(visits) }
    },
    act: async (args, { before }) => {
      if (!(await isWanted(args))) {
        await bring(args.from, rest)
        await serve(args.to, duty)
      }
      const found = differences(before.statuses, await visit(args.visits))
      if (found.length > 0) throw SwitchFailed(shown(found))
      return null
    },
    undo: async ({ from, to }, before) => {
      await bring(to, before.to)
      await serve(from, before.from)
    },
    notUndone: 'a switch back fetches all websites, and says what prevents it',
    check: async (args, before) => {
      const [from, to] = [await stateOf(args.from), await stateOf(args.to)]
      if (isLike(from, rest) && isLike(to, duty))
        return differences(before.statuses, await visit(args.visits)).length === 0 ? 'wanted' : 'other'
      return isLike(from, before.from) && isLike(to, before.to) ? 'before' : 'other'
    },
  }
}

/** Nothing is stopped for a web server that would not start: its own checker reads all of its configuration, with the files of others. */
async function assertStartable(servers: Parts['servers'], to: WebServerName): Promise<void> {
  const obstacle = await servers[to].startObstacle([])
  if (obstacle === undefined) return
  const kind = obstacle.cause === 'configuration' ? ConfigRejected : NotSwitchable
  throw kind(`server: ${refusalBy(to, obstacle)}`)
}

const refusalBy = (name: WebServerName, { cause, message }: StartObstacle): string =>
  cause === 'configuration' ? `${titles[name]}: ${message}` : `${titles[name]} would not start: ${message}`

const planOf = ({ from, to, visits }: SwitchArgs): StepPlan => ({
  title: `Stop ${titles[from]} and start ${titles[to]}`,
  details: [
    'New connections are refused until the other web server listens',
    `${visits.length} names are fetched before and afterwards; if one answers with another status, the change is undone`,
  ],
  commands: [
    ['systemctl', 'disable', webServices[from]],
    ['systemctl', 'stop', webServices[from]],
    ['systemctl', 'enable', webServices[to]],
    ['systemctl', 'start', webServices[to]],
  ],
})

const mostShown = 10

function shown(found: readonly string[]): string {
  const more = found.length - mostShown
  return `${found.slice(0, mostShown).join('; ')}${more > 0 ? `; and ${more} more` : ''}`
}

const isLike = (one: Running, other: Running): boolean =>
  one.isActive === other.isActive && one.isEnabled === other.isEnabled

/** A service that the host does not have is at rest. */
async function stateOfService(services: Parts['services'], name: string): Promise<Running> {
  try {
    const { active, enabled } = await services.status(name)
    return { isActive: active, isEnabled: enabled }
  } catch (error) {
    if (error instanceof Problem && error.kind === NotFound) return rest
    throw error
  }
}

async function bringService(services: Parts['services'], name: string, wanted: Running): Promise<void> {
  const now = await stateOfService(services, name)
  if (now.isEnabled !== wanted.isEnabled) await services.act(name, wanted.isEnabled ? 'enable' : 'disable')
  if (now.isActive !== wanted.isActive) await services.act(name, wanted.isActive ? 'start' : 'stop')
}
