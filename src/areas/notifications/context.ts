import { area } from '../../core/area.ts'
import { Problem } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import type { Store } from '../../store/store.ts'
import type { Deps } from '../deps.ts'
import { findUser, users } from '../users/index.ts'
import { watchSources } from './collect.ts'
import { type Delivering, watchDeliveries } from './deliver.ts'
import { codeOf, isUnconfirmed } from './confirmation.ts'
import { DeliveryFailed } from './problems.ts'
import { reasonOf, send, type Sending, testOf } from './send.ts'
import { noticed } from './source.ts'
import {
  type DeliveryQueries,
  deliveryQueries,
  type NotificationQueries,
  notificationQueries,
} from './store.ts'
import { openTestLimit, type TestLimit } from './test-limit.ts'
import { testStep } from './test-step.ts'

/** Notifications, as the verbs of the area reach them. */
export interface Notifications {
  readonly store: Store
  readonly queries: NotificationQueries
  readonly deliveries: DeliveryQueries
  readonly partsOf: Deps['partsOf']
  readonly addresses: Host['addresses']
  readonly testStep: ReturnType<typeof testStep>
  readonly tests: TestLimit
  /** Resolves when a notification of any user was written. */
  untilWritten(): Promise<void>
  /** Reads the sources and delivers until it is stopped. */
  start(): { stop(): Promise<void> }
}

/** Binds the area to the store and the ways to deliver. */
export function openNotifications(deps: Deps): Notifications {
  const { store, host, log, partsOf, use } = deps
  const queries = notificationQueries(store)
  const deliveries = deliveryQueries(store)
  const { users: people } = use(users)
  const sending = sendingOf(deps)
  const delivering: Delivering = { store, queries, deliveries, users: people, sending, log }
  const tests = openTestLimit()
  let written = Promise.withResolvers<void>()
  store.onWritten(['notifications'], () => {
    written.resolve()
    written = Promise.withResolvers()
  })
  return {
    store,
    queries,
    deliveries,
    partsOf,
    addresses: host.addresses,
    tests,
    testStep: testStep(testsOf(delivering, tests)),
    untilWritten: () => written.promise,
    start: () => {
      const worker = watchDeliveries(delivering)
      const sources = watchSources(partsOf(noticed), { store, log, onRaised: worker.wake })
      return {
        stop: async () => {
          await sources.stop()
          await worker.stop()
        },
      }
    },
  }
}

/** Which channels were tested is known until the panel stops: after that, a test may be repeated. */
function testsOf({ store, queries, users: people, sending }: Delivering, tests: TestLimit) {
  const sent = new Set<number>()
  return {
    wasSent: async (id: number) => sent.has(id),
    sendTest: async (id: number, signal: AbortSignal) => {
      sent.delete(id)
      const channel = await queries.channel(id)
      const user = channel && (await findUser(people, channel.user_id))
      if (channel === undefined || user === undefined) throw DeliveryFailed('the channel was deleted')
      tests.count(user.id, channel.target)
      try {
        const code = isUnconfirmed(channel) ? codeOf(store, channel) : undefined
        await send(sending, channel, user, testOf(new Date(), code), signal)
      } catch (cause) {
        signal.throwIfAborted()
        // what a receiver answers is no failure of the panel, whose log has causes
        throw DeliveryFailed(reasonOf(cause), cause instanceof Problem ? {} : { cause })
      }
      sent.add(id)
    },
  }
}

function sendingOf({ store, host, settings: { configuration } }: Deps): Sending {
  const { smtp_url: smtpUrl = '', mail_from: sender = '' } = configuration.running
  const hostname = () => host.machine.kernel().hostname
  return { fetch: host.fetch, mail: host.mail, hostname, smtpUrl, sender, unseal: store.unseal }
}

export interface Context {
  readonly notifications: Notifications
}

export const { endpoint, job } = area.of<Context>()
