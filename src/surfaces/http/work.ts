import type { FastifyReply } from 'fastify'
import type { Asked } from '../../changes/long-work/index.ts'
import type { DescribedChange } from '../../changes/plan.ts'
import type { WorkKind } from '../../core/job.ts'
import { type Answering, entryOf, isPlan, nameUndo, runOn, sendPlan } from './change.ts'
import { streamEvents } from './events.ts'
import { idempotencyOf } from './idempotency.ts'
import { outboxOf } from './outbox.ts'
import { assertSamePlan, expectedPlan, foreseenIds } from './plan-digest.ts'
import { send } from './send.ts'

interface AnsweringWork extends Answering {
  readonly kind: WorkKind
  /** Called once the work is stored: the request has no time limit from then on. */
  readonly onOrdered: () => void
}

/**
 * Orders the long work that a request asks for, and responds as its endpoint declares; `?plan=1` returns its
 * plan.
 */
export async function answerWork(answering: AnsweringWork): Promise<FastifyReply> {
  const { route, kind, gates, scope, request, reply, onOrdered } = answering
  const idempotency = idempotencyOf(route, request, scope)
  const entry = entryOf(answering)
  const outbox = isPlan(request) ? [] : await outboxOf(answering, entry)
  const order: Asked = {
    kind,
    input: () => runOn(route, scope, request.headers['if-match']),
    caller: scope.callerIfAny ?? null,
    actor: { entry, outbox },
    signal: scope.signal,
    ...(idempotency && { idempotency }),
  }
  if (isPlan(request)) return sendPlan(answering, await planOf(order, answering), { is_job: true })
  const { changeId, jobId, isRepeat } = await gates.work.ask(asPlannedWork(order, answering))
  onOrdered()
  void reply.header('x-change-id', String(changeId)).header('x-job-id', String(jobId))
  if (isRepeat) void reply.header('idempotency-replayed', 'true')
  return show(answering, jobId)
}

/** Work that is refused unless its plan is the one that the request names; a repeat of earlier work is not planned again. */
function asPlannedWork(order: Asked, answering: Answering): Asked {
  const expected = expectedPlan(answering.request)
  if (expected === undefined) return order
  const input = async () => {
    assertSamePlan(expected, await planOf(order, answering))
    return order.input()
  }
  return { ...order, input }
}

/** The plan of work, which names the identifiers that its rows would get, and takes none. */
async function planOf(order: Asked, { gates, scope }: Answering): Promise<DescribedChange> {
  const { id } = scope
  if (gates.peekId) scope.id = foreseenIds(gates.peekId)
  try {
    return await gates.work.plan(order)
  } finally {
    scope.id = id
  }
}

function show({ route, gates, sending, scope, request, reply }: Answering, jobId: number) {
  const { kind, toEvent, shape = 'data' } = route.endpoint.reply
  const { signal } = scope
  const isAsync = prefersAsync(request.headers['prefer'])
  // another panel waits for the end of the job, and reads no stream
  if (toEvent !== undefined && !(isAsync && request.isFromPeer)) {
    const source = gates.work.follow(jobId, scope.lastEventId ?? 0, toEvent, signal)
    return streamEvents(reply, { source, mask: sending.mask, heartbeatMs: sending.heartbeatMs, signal })
  }
  const isAwaited = kind === 'awaited' && !isAsync
  if (!isAwaited)
    return send(
      reply,
      { ...sending, kind: 'accepted', status: 202, mask: undefined },
      { job_id: jobId },
      {},
      () => signal,
    )
  return gates.work.ended(jobId, signal).then((ended) => {
    if ('error' in ended) throw ended.error
    nameUndo(reply, ended.undoId)
    return send(reply, { ...sending, kind: shape }, ended.reply, {}, () => signal)
  })
}

/** RFC 7240, section 4.1. */
const prefersAsync = (prefer: string | string[] | undefined): boolean =>
  String(prefer ?? '')
    .split(',')
    .some((each) => each.trim().toLowerCase() === 'respond-async')
