import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { type Change, change, step } from '../../core/change.ts'
import { lock } from '../../core/lock.ts'
import { BadRequest, Unavailable } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { from } from '../../core/returned.ts'
import { isMasked, mask } from '../../core/secret.ts'
import { hostnameFromTyped } from '../../core/typed-hostname.ts'
import { hostOf, type Relay } from '../../tools/exim/index.ts'
import type { Mail } from './context.ts'
import type { MailDraft, MailQueue, MailSettings, MailTest, MailTested } from './model.ts'

/** Of a name in the DNS (RFC 1035, section 2.3.4). */
const longestHost = 253

const mailLock = lock('mail')
const queueLimit = 500
/** Its mail is that of the system: of cron, of the panel, and of programs that run as services. */
const account = 'root'

const notInstalled: MailSettings = {
  smart_route: '',
  config_type: 'internet',
  running: false,
  default_from: '',
  username: '',
  password: null,
  configured_type: '',
  reason: 'Exim is not installed',
  installed: false,
}

/** Reads how the mail of the host is delivered; a host without Exim has no relay. */
export async function readMail({ exim }: Mail): Promise<MailSettings> {
  const [{ present, healthy, reason }, relay, running] = await Promise.all([
    exim.detect(),
    exim.readRelay(account),
    exim.isRunning(),
  ])
  if (!present) return notInstalled
  return {
    smart_route: sendsByRelay(relay) ? relay.route.slice(0, 2000) : '',
    config_type: sendsByRelay(relay) ? 'smarthost' : 'internet',
    running,
    default_from: relay.address.slice(0, 2000),
    username: (relay.credentials?.username ?? '').slice(0, 2000),
    password: relay.credentials ? mask(relay.credentials.password) : null,
    configured_type: relay.type.slice(0, 100),
    reason: healthy ? '' : (reason ?? ''),
    installed: true,
  }
}

const sendsByRelay = ({ type, route }: Relay): boolean =>
  (type === 'smarthost' || type === 'satellite') && route !== ''

/** Changes the relay, the sign-in to it, and the sender of mail of root, as far as the draft names them. */
export async function changeMail({ exim }: Mail, draft: MailDraft): Promise<Change<{ success: true }>> {
  if (Object.keys(draft).length === 0)
    throw BadRequest('smart_route: is required where no default_from, username or password is given')
  await assertInstalled(exim)
  const { default_from: sender } = draft
  const relay = await exim.readRelay(account)
  const route = routeOf(draft)
  if (route !== undefined && route.indexOf('::') > longestHost)
    throw BadRequest(
      `smart_route: must be host::port such as mail.example.com::587, with at most ${longestHost} characters before the colons`,
    )
  const { steps } = exim
  const to = credentialsOf(relay, draft)
  const hosts = { host: hostOf(route ?? relay.route), former: hostOf(relay.route) }
  const isMoved = hosts.host !== hosts.former
  // neither relay is ever sent the credentials of the other: the former ones go before, the new ones come after
  const isRemovedFirst = to === null || (to !== undefined && isMoved && relay.credentials !== undefined)
  return change({
    summary: summaryOf(draft),
    locks: [mailLock('settings')],
    steps: [
      ...(isRemovedFirst ? [step(steps.editCredentials, { ...hosts, to: null })] : []),
      ...(route === undefined ? [] : [step(steps.editConfig, { route })]),
      ...(to ? [step(steps.editCredentials, { ...hosts, to })] : []),
      ...(sender === undefined ? [] : [step(steps.editAddresses, { account, address: sender || null })]),
    ],
    reply: success,
  })
}

/** The relay of a draft, without the root dot that its name may have been typed with. */
const routeOf = ({ smart_route: route }: MailDraft): string | undefined =>
  route?.replace(/^[^:]+/, (typed) => hostnameFromTyped(typed))

function summaryOf(draft: MailDraft): string {
  const route = routeOf(draft)
  if (route !== undefined) return route === '' ? 'Send mail without a relay' : `Send mail through ${route}`
  return draft.default_from === undefined
    ? 'Set the sign-in to the mail relay'
    : 'Set the sender of mail of root'
}

/** The credentials to write; null removes those there are, and undefined leaves them. */
function credentialsOf(relay: Relay, draft: MailDraft) {
  const { username, password } = draft
  const route = routeOf(draft) ?? relay.route
  const isSameHost = hostOf(route) === hostOf(relay.route)
  const current = relay.credentials
  if (username === '') return null
  const given = password === undefined || isMasked(password) ? undefined : password
  const user = username ?? (given === undefined ? undefined : current?.username)
  if (user === undefined) {
    if (given !== undefined) throw BadRequest('username: is required with a password')
    return isSameHost ? undefined : null
  }
  if (route === '') throw BadRequest('username: there is no relay to sign in to: set smart_route')
  if (given !== undefined) return { username: user, password: given }
  if (isSameHost && user === current?.username) return undefined
  throw BadRequest(
    isSameHost
      ? `password: enter the password of ${user}`
      : `password: enter it again, as the stored one is that of ${hostOf(relay.route) || 'no relay'}`,
  )
}

/** Lists the messages that wait, the oldest first. */
export async function readQueue({ exim }: Mail): Promise<MailQueue> {
  const { present } = await exim.detect()
  if (!present) return { total: 0, messages: [] }
  const { total, messages } = await exim.readQueue(queueLimit)
  return { total, messages: messages.map((each) => ({ ...each, recipients: [...each.recipients] })) }
}

/** Sends a message as root. */
export async function testMail({ exim }: Mail, { to }: MailTest): Promise<Change<MailTested>> {
  await assertInstalled(exim)
  const sending = step(exim.steps.sendTest, { to, messageId: `${randomUUID()}@${hostname()}` })
  return change({
    summary: `Send a test message to ${to}`,
    locks: [mailLock('test')],
    steps: [sending],
    reply: { outcome: from(sending, 'outcome'), message: from(sending, 'message') },
  })
}

async function assertInstalled(exim: Mail['exim']): Promise<void> {
  const { present, reason } = await exim.detect()
  if (!present) throw Unavailable(`${reason ?? 'Exim is not installed'}: install it under Software`)
}
