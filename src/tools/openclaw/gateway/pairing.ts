import type { StepKind } from '../../../core/change.ts'
import { problem } from '../../../core/problem.ts'
import { finalStep } from '../../../core/steps.ts'
import { type Ask, listOf, onOneLine } from './sessions.ts'

export const NoSuchRequest = problem('not_found', 404, 'No request waits under this name')

/** A sender of a channel, or a browser, that waits to be admitted. */
export interface PairingRequest {
  readonly request: string
  readonly account: string
  readonly sender: string
  /** In milliseconds since 1970; undefined if the gateway does not tell it. */
  readonly createdAtMs: number | undefined
}

const longest = 300
const most = 200

/** Lists the senders of a channel that wait to be admitted. */
export async function listPairings(ask: Ask, channel: string): Promise<readonly PairingRequest[]> {
  const { requests } = await ask('channels.pairing.list', { channel })
  return listOf(requests)
    .filter((each) => each['channel'] === undefined || each['channel'] === channel)
    .flatMap((each) => requestOf(each))
    .slice(0, most)
}

/** Lists the browsers that wait to be admitted to the console. */
export async function listDevices(ask: Ask): Promise<readonly PairingRequest[]> {
  const { pending } = await ask('device.pair.list')
  return listOf(pending)
    .flatMap((each) => requestOf(each))
    .slice(0, most)
}

function requestOf(found: Readonly<Record<string, unknown>>): readonly PairingRequest[] {
  const request = found['requestId']
  if (typeof request !== 'string' || !/^[A-Za-z0-9][\w.:-]{0,299}$/.test(request)) return []
  return [
    {
      request,
      account:
        typeof found['accountId'] === 'string' ? onOneLine(found['accountId']).slice(0, longest) : 'default',
      sender: senderOf(found),
      createdAtMs: timeOf(found['createdAt'] ?? found['ts']),
    },
  ]
}

/** What is known of who asks: a name, and an id that they cannot choose. */
function senderOf(found: Readonly<Record<string, unknown>>): string {
  const parts = [
    found['senderLabel'] ?? found['displayName'],
    found['senderId'] ?? found['deviceId'],
    found['platform'],
  ]
  const known = parts.filter((part) => typeof part === 'string' && part !== '')
  return onOneLine([...new Set(known)].join(' · ')).slice(0, longest)
}

function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : value
  return typeof ms === 'number' && Number.isFinite(ms) ? ms : undefined
}

interface ApproveArgs {
  /** Null: a browser. */
  readonly channel: string | null
  readonly account: string
  readonly request: string
}

const pendingOf = (ask: Ask, channel: string | null) =>
  channel === null ? listDevices(ask) : listPairings(ask, channel)

/** The step that admits a sender of a channel, or a browser. */
export const approvePairing = (ask: Ask): StepKind<ApproveArgs, null, null> => {
  const isWaiting = async ({ channel, request }: ApproveArgs) =>
    (await pendingOf(ask, channel)).some((each) => each.request === request)
  return finalStep<ApproveArgs>({
    name: 'openclaw.approve-pairing',
    plan: ({ channel, request }) => ({
      title: `Admit ${channel === null ? 'the browser' : `the sender of ${channel}`} of the request ${request}`,
    }),
    why: 'who was admitted is removed in the console of the assistant',
    observe: async (args) => {
      if (!(await isWaiting(args))) throw NoSuchRequest(`request: ${args.request} does not wait`)
      return null
    },
    act: async ({ channel, account, request }) => {
      if (channel === null) await ask('device.pair.approve', { requestId: request })
      else await ask('channels.pairing.approve', { channel, accountId: account, requestId: request })
      return null
    },
    isDone: async (args) => !(await isWaiting(args)),
  })
}
