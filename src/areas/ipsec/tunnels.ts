import { randomBytes } from 'node:crypto'
import { type Change, change, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { singleLock } from '../../core/lock.ts'
import { success } from '../../core/reply.ts'
import { isMasked } from '../../core/secret.ts'
import { canonicalAddress, parseNetwork } from '../../host/networks.ts'
import { assertRoutable, assertValid } from './checks.ts'
import type { Ipsec } from './context.ts'
import { mostTunnels, type NewTunnel, type StoredTunnel, type TunnelDraft, type TunnelEdit } from './model.ts'
import { NoAddress, TunnelDisabled, TunnelInvalid } from './problems.ts'
import { bringUp, takeDown } from './steps.ts'
import { type TunnelRow, tunnels } from './store.ts'

/** Held by every change of tunnels: they share forwarding, and each is loaded with all others. */
const ipsecLock = singleLock('ipsec')

/** Makes a secret that no one guesses. */
export const generateSecret = () => ({ secret: randomBytes(32).toString('base64url') })

/** Any address outside: none is sent anything. */
const outside = '192.0.2.1'

/** Returns the address from which this host reaches others. */
export async function readLocalAddress({ strongswan }: Ipsec): Promise<{ local_ip: string }> {
  const address = await strongswan.addressTowards(outside)
  if (address === undefined) throw NoAddress()
  return { local_ip: address }
}

/** Adds a tunnel, which strongSwan begins to negotiate at once. */
export async function createTunnel(
  on: Ipsec,
  draft: TunnelDraft,
  { id, now }: Pick<Deciding, 'id' | 'now'>,
): Promise<Change<NewTunnel>> {
  const { local_ip, shared_secret = generateSecret().secret, ...fields } = draft
  if (isMasked(shared_secret)) throw TunnelInvalid('shared_secret: must be the secret itself')
  const others = await on.queries.all()
  if (others.length >= mostTunnels) throw TunnelInvalid(`name: there are ${mostTunnels} tunnels already`)
  const row = tunnels.row({
    ...fields,
    ...canonicalAddresses({ ...draft, local_ip: local_ip ?? (await addressFor(on, draft.remote_ip)) }),
    sealed_secret: on.store.seal(shared_secret),
    id: id(tunnels.name),
    enabled: true,
    created_at: now.toISOString(),
  })
  const own = await assertPossible(on, row, others)
  return change({
    summary: `Add the tunnel ${row.name} to ${row.remote_ip}`,
    locks: [ipsecLock],
    steps: await bringUp(on, row, { own }),
    rows: [tunnels.insert(row)],
    reply: { ...shown(row), shared_secret },
  })
}

/** Writes the given fields of a tunnel; an enabled one is negotiated anew. */
export async function editTunnel(
  on: Ipsec,
  id: number,
  { shared_secret, ...set }: TunnelEdit,
): Promise<Change<StoredTunnel>> {
  const row = await on.queries.load(id)
  const isKept = shared_secret === undefined || isMasked(shared_secret)
  const values = {
    ...set,
    ...canonicalAddresses({ ...row, ...set }),
    ...(!isKept && { sealed_secret: on.store.seal(shared_secret) }),
  }
  const next = tunnels.changed(row, values)
  const others = (await on.queries.all()).filter((each) => each.id !== id)
  const own = await assertPossible(on, next, others)
  return change({
    summary: `Change the tunnel ${row.name}`,
    locks: [ipsecLock],
    steps: next.enabled ? await bringUp(on, next, { own }) : [],
    rows: [tunnels.update(row, values)],
    reply: shown(next),
  })
}

/** Removes a tunnel with its secret, routes and firewall rules. */
export async function deleteTunnel(on: Ipsec, id: number): Promise<Change<{ success: true }>> {
  const row = await on.queries.load(id)
  return change({
    summary: `Remove the tunnel ${row.name}`,
    locks: [ipsecLock],
    steps: await takeDown(on, row),
    rows: [tunnels.delete({ id })],
    reply: success,
  })
}

/** Enables a disabled tunnel, or the reverse. */
export async function toggleTunnel(on: Ipsec, id: number): Promise<Change<{ id: number; enabled: boolean }>> {
  const row = await on.queries.load(id)
  const enabled = row.enabled === 0
  const others = (await on.queries.all()).filter((each) => each.id !== id)
  const next = tunnels.changed(row, { enabled })
  const steps = enabled
    ? await bringUp(on, next, { own: await assertPossible(on, next, others) })
    : await takeDown(on, row)
  return change({
    summary: `${enabled ? 'Enable' : 'Disable'} the tunnel ${row.name}`,
    locks: [ipsecLock],
    steps,
    rows: [tunnels.update(row, { enabled })],
    reply: { id, enabled },
  })
}

/** Ends what the gateways have agreed on, and negotiates anew; fails with the reason why they do not agree. */
export async function restartTunnel(on: Ipsec, id: number): Promise<Change<{ success: true }>> {
  const row = await on.queries.load(id)
  if (!row.enabled) throw TunnelDisabled(`id: the tunnel ${row.name} is disabled: enable it first`)
  const own = await on.strongswan.listNetworks()
  return change({
    summary: `Restart the tunnel ${row.name}`,
    locks: [ipsecLock],
    steps: [
      ...(await bringUp(on, row, { own })),
      step(on.strongswan.steps.negotiate, { id, title: row.name }),
    ],
    reply: success,
  })
}

/** One address has one spelling, so that tunnels to the same gateway are told. */
const canonicalAddresses = (tunnel: Pick<StoredTunnel, 'local_ip' | 'remote_ip' | 'remote_id'>) => ({
  local_ip: canonicalAddress(tunnel.local_ip),
  remote_ip: canonicalAddress(tunnel.remote_ip),
  remote_id: canonicalAddress(tunnel.remote_id),
})

async function addressFor({ strongswan }: Ipsec, remote: string): Promise<string> {
  const isAddress = parseNetwork(remote)?.address === remote // anything else is refused by its own message
  const address = isAddress ? await strongswan.addressTowards(remote) : outside
  if (address === undefined)
    throw TunnelInvalid(`remote_ip: this host has no route to ${remote}: give local_ip if it will have one`)
  return address
}

/** Checks a row against itself, this host and the other tunnels, and returns the networks of this host. */
async function assertPossible({ strongswan }: Ipsec, row: TunnelRow, others: readonly TunnelRow[]) {
  const tunnel = shown(row)
  assertValid(tunnel)
  const own = await strongswan.listNetworks()
  assertRoutable(tunnel, { own, others: others.map(shown) })
  return own
}

function shown(row: TunnelRow): StoredTunnel {
  const { revision: _revision, ...tunnel } = tunnels.show(row)
  return tunnel
}
