import type { Static } from 'typebox'
import { type Change, change, step } from '../../../core/change.ts'
import { singleLock } from '../../../core/lock.ts'
import { repeat } from '../../../core/repeat.ts'
import { canonicalAddress, hasHostBits, parseNetwork, textOf } from '../../../host/networks.ts'
import type { Containers } from '../context.ts'
import { DraftInvalid } from '../problems.ts'
import type { Limit, LimitDraft } from './model.ts'
import { keyOf, listLimits, portLimits } from './store.ts'

const limitsLock = singleLock('container-port-limits')
const mostLimits = 1000

/** Limits who can reach a published port, or lifts the limit. It holds for whatever container publishes the port. */
export async function limitPort(
  { docker, store }: Containers,
  { port, protocol = 'tcp', sources }: LimitDraft,
): Promise<Change<Static<typeof Limit>>> {
  const key = keyOf({ port, protocol })
  const all = await listLimits(store)
  const others = all.filter((each) => keyOf(each) !== key)
  if (sources !== null && others.length >= mostLimits)
    throw DraftInvalid(`port: ${mostLimits} ports are limited already: lift a limit first`)
  const wanted =
    sources === null ? null : [...new Set(sources.map((text, index) => readSource(text, `sources.${index}`)))]
  const limits = wanted === null ? others : [...others, { port, protocol, sources: wanted }]
  return change({
    summary: wanted === null ? `Lift the limit of port ${key}` : `Limit who can reach port ${key}`,
    locks: [limitsLock],
    steps: [step(docker.steps.limitPorts, { limits })],
    rows: [
      ...(others.length === all.length ? [] : [portLimits.delete({ port: key })]),
      ...(wanted === null ? [] : [portLimits.insert(portLimits.row({ port: key, sources: wanted }))]),
    ],
    reply: { port, protocol, sources: wanted },
  })
}

function readSource(text: string, field: string): string {
  const network = parseNetwork(text)
  if (network === undefined)
    throw DraftInvalid(`${field}: ${text} is not an address or a network: use one such as 192.0.2.0/24`)
  if (hasHostBits(network))
    throw DraftInvalid(`${field}: ${text} has bits after its prefix: use the first address of the network`)
  if (network.prefix === 0) throw DraftInvalid(`${field}: ${text} is everyone: send null to lift the limit`)
  return textOf({ ...network, address: canonicalAddress(network.address) })
}

const everyMs = 5000

/** Writes the limits again that the kernel has lost, as with a restart of the host. */
export function watchLimits({ docker, store, log }: Containers): { stop(): Promise<void> } {
  return repeat({
    everyMs,
    isAtOnce: true,
    work: async () => {
      const limits = await listLimits(store)
      if (limits.length > 0) await docker.restoreLimits(limits)
    },
    failed: (error) => log.error({ err: error }, 'the limits of published ports could not be compared'),
  })
}
