import type { Area } from '../core/area.ts'
import type { AnyStepKind } from '../core/change.ts'
import type { Log } from '../core/endpoint.ts'
import { collectParts } from '../core/parts.ts'
import { appendActivity } from '../changes/activity.ts'
import { type Executor, openExecutor } from '../changes/executor.ts'
import { type CallerOf, type LongWork, openLongWork } from '../changes/long-work/index.ts'
import type { Recovery } from '../changes/recover.ts'
import { isWork, type WorkKind } from '../core/job.ts'
import { openUndo } from '../changes/undo-by-id/index.ts'
import type { StepKinds } from '../changes/work.ts'
import { type Jobs, openJobs } from '../jobs/queue.ts'
import { openStore, type Store } from '../store/store.ts'
import type { Host } from '../host/index.ts'
import type { Tools } from '../tools/open-tools.ts'
import { type Auth, auth, type Credentials } from '../areas/auth/index.ts'
import type { Deps, Settings } from '../areas/deps.ts'
import { licence } from '../areas/licence/index.ts'
import { isPluginEnabled, plugins } from '../areas/plugins/index.ts'
import { replicationServers } from '../areas/replication-servers/index.ts'
import { findUserByEmail, users, type Users } from '../areas/users/index.ts'
import { type Route, routesOf } from '../surfaces/routes.ts'
import type { Gates, Running } from '../surfaces/http/mount.ts'
import {
  type AgentTokens,
  openAgentCalls,
  openAgentTokens,
  openMcp,
  type ToolCall,
} from '../surfaces/mcp/index.ts'
import { actionsOf } from './actions.ts'
import { type OwnCalls, openOwnCalls } from './own-calls.ts'
import { localCaller, localUserId } from './internal-access.ts'
import { surveyor } from './survey.ts'
import { migrationsOf } from './migrations.ts'
import { undoRights } from './undo-rights.ts'

/** A panel that is bound to its store and host, not yet listening. */
export interface Panel {
  readonly store: Store
  readonly jobs: Jobs
  readonly executor: Executor
  readonly routes: readonly Route[]
  readonly gates: Gates
  readonly users: Users
  readonly auth: Auth
  readonly recoveries: readonly Recovery[]
  /** How the jobs that were cut off are settled, beside the requests. */
  readonly recovered: Promise<readonly Recovery[]>
  /** Every registered kind of step, by its name. */
  readonly steps: StepKinds
  /** How the panel calls itself for agents. */
  readonly ownCalls: OwnCalls
  /** Starts the background work. */
  start(): Promise<void>
  /** Ends the background work and closes the store. */
  close(): Promise<void>
}

interface PanelOptions {
  readonly areas: readonly Area<any, any>[]
  readonly host: Host
  readonly tools: Tools
  readonly settings: Settings
  readonly log: Log
}

/** Opens the store, settles interrupted changes, and binds every area. */
// oxlint-disable-next-line max-lines-per-function -- binds parts, decides nothing
export async function openPanel({ areas, host, tools, settings, log }: PanelOptions): Promise<Panel> {
  const now = new Date()
  const migrations = migrationsOf(areas)
  const store = await openStore({ migrations, now, ...placeOf(settings) })
  try {
    const jobs = openJobs(store, log)
    const steps = new Map<string, AnyStepKind>()
    const programs = host.stepPrograms
    const isRegistered = (kind: AnyStepKind) => steps.get(kind.name) === kind
    const works = new Set(areas.flatMap(({ jobs = [] }) => jobs.filter(isWork).map(({ kind }) => kind)))
    const executor = openExecutor({
      store,
      log,
      isRegistered,
      isWork: (kind) => works.has(kind),
      programs,
      clocks: host.detached,
    })
    const work = openLongWork({ store, log, executor, jobs, programs })
    const undo = openUndo({
      store,
      kinds: steps,
      assertMayUndo: undoRights({ store, routes: () => routes }),
    })
    const contexts = new Map<Area<any, any>, object>()
    const use = <Context>(area: Area<Context, any>): Context => contexts.get(area) as Context
    const ownCalls = openOwnCalls()
    const tokens = openAgentTokens()
    const agentCalls = { routes: () => routes, call: ownCalls.call, tokens }
    const deps: Deps = {
      answerAgent: openMcp({ ...agentCalls, record: (call) => gates.recordEntry(entryOfCall(call)) }),
      callForAgent: openAgentCalls(agentCalls),
      store,
      jobs,
      executor,
      steps,
      undo,
      host,
      tools,
      log,
      settings,
      actions: actionsOf(() => routes),
      use,
      partsOf: (of) => partsOf(of),
      survey: surveyor(areas, () => deps, store),
    }
    for (const area of areas) contexts.set(area, area.open(deps as never) as object)
    const bound = areas.map((area) => ({ area, context: contexts.get(area) as object }))
    const partsOf = collectParts(bound)
    registerSteps(steps, [executor.provisional.endStep, ...tools.steps], bound)
    const background: { stop(): Promise<void> }[] = []
    const routes = routesOf(bound)
    work.register(worksOf(bound, routes), callersOf(use(auth).auth.credentials.now))
    const recoveries = await executor.recover(steps)
    const { settled: recovered } = await work.recover(steps)
    await tools
      .reconcile()
      .catch((error) => log.error({ err: error }, 'bringing files and programs together failed'))
    await use(licence).licence.load()
    const gates = gatesOf({ store, executor, work, log, use, tokens })
    return {
      store,
      jobs,
      executor,
      routes,
      gates,
      users: use(users).users,
      auth: use(auth).auth,
      recoveries,
      recovered,
      steps,
      ownCalls,
      start: async () => {
        const plain = bound.flatMap(({ area, context }) =>
          (area.jobs ?? []).flatMap((kind) => (isWork(kind) ? [] : [{ kind, context }])),
        )
        await jobs.start([...plain, ...work.bound], work)
        for (const { area, context } of bound)
          if (area.background !== undefined) background.push(area.background(context))
      },
      close: async () => {
        for (const each of background.splice(0)) await each.stop()
        await jobs.stop()
        await work.close()
        await host.close()
        await executor.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

const placeOf = ({ dataDir, databaseUrl }: Settings) => ({
  ...(dataDir && { dataDir }),
  ...(databaseUrl && { databaseUrl }),
})

/** Stored changes name their steps: two kinds of one name could not be told apart after a restart. */
function registerSteps(
  steps: Map<string, AnyStepKind>,
  own: readonly AnyStepKind[],
  bound: readonly { readonly area: Area<any, any>; readonly context: object }[],
): void {
  const kinds = [...own, ...bound.flatMap(({ area, context }) => area.steps?.(context) ?? [])]
  for (const kind of kinds) {
    if (steps.has(kind.name)) throw new Error(`two kinds of steps are named ${kind.name}`)
    steps.set(kind.name, kind)
  }
}

type Guarded = Pick<Area, 'guard' | 'jobs'>

/** The kinds of long work, with the guards of the endpoints that show them, or of their area. */
function worksOf(
  bound: readonly { readonly area: Guarded; readonly context: object }[],
  routes: readonly Route[],
) {
  const guardsOf = (kind: WorkKind, area: Guarded) => {
    const shown = routes.filter(({ endpoint }) => endpoint.reply.work === kind)
    return shown.length === 0 ? [area.guard] : shown.map(({ guard }) => guard)
  }
  return bound.flatMap(({ area, context }) =>
    (area.jobs ?? []).filter(isWork).map((kind) => ({ kind, context, guards: guardsOf(kind, area) })),
  )
}

const callersOf =
  (now: Credentials['now']): CallerOf =>
  async ({ user_id: userId, key_id: keyId, ip, request_id: requestId }) => {
    const visitor = { ip, requestId, userAgent: '' }
    if (userId === localUserId) return localCaller(visitor)
    return userId === null ? undefined : now({ userId, keyId, visitor })
  }

interface Gating {
  readonly store: Store
  readonly executor: Executor
  readonly work: LongWork
  readonly log: Log
  readonly use: Deps['use']
  readonly tokens: AgentTokens
}

function gatesOf({ store, executor, work, log, use, tokens }: Gating): Gates {
  const { credentials, socketTokens } = use(auth).auth
  const switches = use(plugins).plugins
  return {
    credentials: {
      ...credentials,
      find: (token, visitor) => tokens.find(token, visitor) ?? credentials.find(token, visitor),
    },
    callerNamed: async (email, visitor) => {
      const user = await findUserByEmail(use(users).users, email)
      return user && credentials.now({ userId: user.id, keyId: null, visitor })
    },
    outbox: use(replicationServers).replication.outbox,
    socketTokens,
    freshFactorMs: use(auth).auth.freshFactorMs,
    switches: {
      isPluginEnabled: (name) => isPluginEnabled(switches, name),
      isFeatureEnabled: use(licence).licence.isFeatureEnabled,
    },
    executor,
    work,
    log,
    nextId: store.nextId,
    peekId: store.peekId,
    running: new Set<Running>(),
    recordEntry: async ({ visitor, caller, message, ...entry }) => {
      await store.transaction((tx) =>
        appendActivity(store, tx, {
          ...entry,
          user_id: caller?.user.id ?? null,
          key_id: caller?.keyId ?? null,
          mcp_key_id: caller?.mcpKeyId ?? null,
          ip: visitor.ip,
          request_id: visitor.requestId,
          duration_ms: 0,
          change_id: null,
          message,
          created_at: new Date().toISOString(),
        }),
      )
    },
  }
}

/** The activity entry of a call of an agent; what it changes has an entry of its own as well. */
function entryOfCall({
  agent,
  tool,
  method,
  path,
  isOk,
  message,
}: ToolCall): Parameters<Gates['recordEntry']>[0] {
  return {
    action: 'mcp_tool_called',
    visitor: agent.owner,
    caller: agent.owner,
    method,
    path,
    request: JSON.stringify({ tool }),
    status: isOk ? 'ok' : 'failed',
    message,
  }
}
