import Type from 'typebox'
import { change, step, type StepKind } from '../core/change.ts'
import type { area } from '../core/area.ts'
import { type EndpointDraft, type Failures, local } from '../core/endpoint.ts'
import type { WorkKind } from '../core/job.ts'
import type { Lock } from '../core/lock.ts'
import { Unavailable } from '../core/problem.ts'
import { accepted, type Reply, succeeded, success } from '../core/reply.ts'
import { type Found, keysOf, mapKeys } from '../core/tool.ts'
import type { ToolName } from '../tools/open-tools.ts'
import { type Program, programLock } from '../tools/program.ts'
import type { ProgramSteps } from '../tools/program-steps.ts'

/** A tool whose service a step starts and stops. */
interface Switchable<Verb extends string> {
  readonly installation: Program | undefined
  detect(): Promise<Found>
  readonly steps: { readonly switchProgram: StepKind<{ readonly verb: Verb }, any, any> }
}

/** The properties of a life-cycle endpoint that the contract sets individually. */
interface Variant {
  readonly summary: string
  /** Default: the name of the verb. */
  readonly path?: string
  readonly throws?: Readonly<Record<string, Failures>>
}

type DeclaringFunctions<Context> = Pick<ReturnType<typeof area.of<Context>>, 'endpoint' | 'work'>
type StatusRun<Context, Status extends Reply> = EndpointDraft<
  Context,
  'reads',
  Status,
  undefined,
  undefined,
  undefined,
  undefined
>['run']

interface ServiceDraft<Context, Verb extends string, Status extends Reply> {
  /** The part of the program in the panel: `the load balancer`. */
  readonly role: string
  readonly on: (context: Context) => { readonly tool: Switchable<NoInfer<Verb>> }
  readonly status: Variant & { readonly reply: Status; readonly run: StatusRun<Context, Status> }
  /** The available actions of the service: start, stop, restart, reload. */
  readonly switches: Readonly<Record<Verb, Variant>>
  readonly locks: readonly Lock[]
}

interface LifecycleDraft<Context, Verb extends string, Status extends Reply> extends ServiceDraft<
  Context,
  Verb,
  Status
> {
  /** The name of the area, which its jobs carry. */
  readonly area: string
  /** The program as people know it: `HAProxy`. */
  readonly title: string
  readonly on: (context: Context) => {
    readonly tool: Switchable<NoInfer<Verb>>
    readonly programSteps: ProgramSteps
  }
  /** The work that installs programs, of the area of that name. */
  readonly installing: WorkKind<any, { name: string }, any>
  readonly install: Variant
  readonly uninstall: Variant
}

const ofThisHost = local('the program of this host')

const changing = (verb: string, { path = `/${verb}`, ...variant }: Variant) =>
  ({ method: 'POST', path, ...variant, category: ofThisHost }) as const

/** Declares the endpoints that read the status of a program, and install, remove and switch it, and the work that removes it. */
export function lifecycle<Context, Verb extends string, Status extends Reply>(
  name: ToolName,
  { endpoint, work }: DeclaringFunctions<Context>,
  draft: LifecycleDraft<Context, Verb, Status>,
) {
  const removing = removalOf(name, work, draft)
  const install = endpoint({
    ...changing('install', draft.install),
    effect: 'changes',
    reply: accepted(draft.installing),
    run: () => ({ name }),
  })
  const uninstall = endpoint({
    ...changing('uninstall', draft.uninstall),
    effect: 'destroys',
    reply: accepted(removing),
    run: () => ({}),
  })
  return { endpoints: { install, uninstall, ...serviceEndpoints(endpoint, draft) }, jobs: [removing] }
}

/** Declares the endpoints that read the status of a program and switch its service. */
export function serviceEndpoints<Context, Verb extends string, Status extends Reply>(
  endpoint: DeclaringFunctions<Context>['endpoint'],
  { on, role, locks, status, switches }: ServiceDraft<Context, Verb, Status>,
) {
  const readStatus = endpoint({ method: 'GET', path: '/status', effect: 'reads', ...status })
  const verbs = mapKeys(keysOf(switches), (verb) =>
    endpoint({
      ...changing(verb, switches[verb]),
      effect: 'changes',
      reply: succeeded,
      run: async (context) => {
        const { tool } = on(context)
        await assertInstalled(tool)
        return change({
          summary: `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${role}`,
          locks,
          steps: [step(tool.steps.switchProgram, { verb })],
          reply: success,
        })
      },
    }),
  )
  return { readStatus, ...verbs }
}

/** The work that removes the packages of a program. */
function removalOf<Context>(
  name: ToolName,
  work: DeclaringFunctions<Context>['work'],
  { area: of, title, on }: Pick<LifecycleDraft<Context, never, Reply>, 'area' | 'title' | 'on'>,
): WorkKind<Context, object, object> {
  return work({
    kind: `${of}.uninstall`,
    input: Type.Object({}),
    reply: Type.Object({}),
    timeoutMs: 1_800_000,
    attempts: 1,
    resumes: false,
    decide: async (request) => {
      const { tool, programSteps } = on(request)
      await assertInstalled(tool)
      return change({
        summary: `Remove ${title}`,
        locks: [programLock(name)],
        steps: [step(programSteps.removeProgram, { name })],
        reply: {},
      })
    },
  })
}

async function assertInstalled(tool: Pick<Switchable<never>, 'detect'>): Promise<void> {
  const found = await tool.detect()
  if (!found.present) throw Unavailable(found.reason ?? undefined)
}
