import { ipv4Form } from '../../core/ipv4-form.ts'
import { type Change, change, step } from '../../core/change.ts'
import { lock, singleLock } from '../../core/lock.ts'
import { BadRequest, NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { isWithin, parseNetwork } from '../../host/networks.ts'
import { banKey } from '../../tools/nftables/index.ts'
import type { Firewall } from './context.ts'
import type { Ban, BanDraft, BanSettings } from './model.ts'
import { assertNetwork } from './rules.ts'
import { firewallBans, firewallSettings } from './store.ts'

const banLock = lock('firewall-ban')
const banSettingsLock = singleLock('firewall-ban-settings')
const loopback = ['127.0.0.0/8', '::1']
/** Where IPv4 addresses are written as IPv6 ones, and loopback is: it would be banned with them. */
const unassigned = banKey('::')
const mostBans = 10_000

/** Lists the banned addresses, the latest first. */
export async function listBans({ queries }: Firewall, now: Date): Promise<Ban[]> {
  return (await queries.bans(now)).slice(0, mostBans).map((row) => {
    const { until = null, ...shown } = firewallBans.show(row)
    return { ...shown, until: until ?? null }
  })
}

/** Bans an address of an administrator's choice, but not their own. */
export async function addBan(
  on: Firewall,
  { address, duration_seconds: seconds, reason = '' }: BanDraft,
  { ip, now }: { readonly ip: string; readonly now: Date },
): Promise<Change<Ban>> {
  if (parseNetwork(address) === undefined) throw BadRequest(`address: ${address} is not an IP address`)
  if (banKey(address) === banKey(ip)) throw BadRequest(`address: ${address} is your own address`)
  if (isWithin(address, loopback)) throw BadRequest(`address: ${address} is an address of this host itself`)
  if (banKey(address) === unassigned)
    throw BadRequest(`address: ${address} is no address of a host: give an IPv4 address as 192.0.2.7`)
  const { never_ban: never } = firewallSettings.show(await on.queries.settings())
  if (isWithin(address, never)) throw BadRequest(`address: ${address} is on the list of those never banned`)
  return banChange(on, { address, seconds: seconds ?? null, reason, source: 'manual', now })
}

interface Banning {
  readonly address: string
  readonly seconds: number | null
  readonly reason: string
  readonly source: Ban['source']
  readonly now: Date
}

/** Bans an address; a ban that it has is replaced. */
export async function banChange(
  { queries, nftables }: Firewall,
  { seconds, reason, source, now, ...asked }: Banning,
): Promise<Change<Ban>> {
  const address = banKey(asked.address)
  const until = seconds === null ? null : new Date(now.getTime() + seconds * 1000).toISOString()
  const ban: Ban = { address, reason, source, banned_at: now.toISOString(), until }
  const ended = await queries.endedBans(now)
  return change({
    summary: `Ban ${address}${until === null ? '' : ` until ${until}`}`,
    locks: [banLock(address)],
    steps: [step(nftables.steps.setBan, { address, seconds, isBanned: true })],
    rows: [
      ...ended.map((each) => firewallBans.delete({ address: each.address })),
      firewallBans.delete({ address }),
      firewallBans.insert(
        firewallBans.row({ address, reason, source, banned_at: ban.banned_at, ...(until && { until }) }),
      ),
    ],
    reply: ban,
  })
}

/** Releases a banned address. */
export async function deleteBan(
  { queries, nftables }: Firewall,
  asked: string,
  now: Date,
): Promise<Change<{ success: true }>> {
  const address = banKey(asked)
  const found = (await queries.bans(now)).find((each) => each.address === address)
  if (found === undefined) throw NotFound(`address: ${asked} is not banned`)
  return change({
    summary: `Release ${address}`,
    locks: [banLock(address)],
    steps: [step(nftables.steps.setBan, { address, seconds: null, isBanned: false })],
    rows: [firewallBans.delete({ address })],
    reply: success,
  })
}

/** Reads when addresses are banned automatically. */
export async function readBanSettings({ queries }: Firewall): Promise<BanSettings> {
  const {
    id: _id,
    is_enabled: _enabled,
    driver: _driver,
    revision: _revision,
    ...shown
  } = firewallSettings.show(await queries.settings())
  return shown
}

/** Sets when addresses are banned automatically. */
export async function setBanSettings(
  { queries }: Firewall,
  asked: BanSettings,
): Promise<Change<BanSettings>> {
  const wanted = { ...asked, never_ban: asked.never_ban.map(ipv4Form) }
  asked.never_ban.forEach((text, index) => assertNetwork(text, `never_ban.${index}`))
  return change({
    summary: 'Set when addresses are banned',
    locks: [banSettingsLock],
    rows: [firewallSettings.update(await queries.settings(), wanted)],
    reply: wanted,
  })
}

/** True if an address is never banned automatically: this host, its proxies, the list, and those where a superuser is signed in. */
export async function isExempt({ queries, proxies }: Firewall, address: string, now: Date): Promise<boolean> {
  if (parseNetwork(address) === undefined) return true
  const [{ never_ban: never }, administrators] = await Promise.all([
    queries.settings().then((row) => firewallSettings.show(row)),
    queries.administrators(now),
  ])
  return (
    isWithin(address, [...loopback, ...proxies, ...never]) ||
    administrators.some((each) => banKey(each) === banKey(address))
  )
}
