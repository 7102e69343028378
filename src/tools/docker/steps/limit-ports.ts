import type { StepKind } from '../../../core/change.ts'
import { stateStep, type Was } from '../../../core/steps.ts'
import type { Run } from '../../../host/run.ts'
import {
  isInEffect,
  limitsIn,
  type LimitsByFamily,
  limitsOf,
  type PortLimit,
  readTable,
  readTables,
  sorted,
  userChain,
  writeLimits,
} from '../exposure/limits.ts'
import { EngineFailed } from '../problems.ts'

interface LimitArgs {
  /** All limits afterwards. */
  readonly limits: readonly PortLimit[]
}

/** Replaces the rules that limit who can reach published ports. */
export function limitPorts(kind: string, run: Run): StepKind<LimitArgs, Was<LimitsByFamily>, null> {
  return stateStep<LimitArgs, LimitsByFamily>({
    name: kind,
    plan: ({ limits }) => ({
      title: `Set the rules of published ports in ${userChain}`,
      details: limits.length === 0 ? ['No port is limited'] : sorted(limits).map(textOf),
    }),
    read: async () => {
      const { ipv4, ipv6 } = await readTables(run)
      return { ipv4: ipv4 ? limitsIn(ipv4) : [], ...(ipv6 && { ipv6: limitsIn(ipv6) }) }
    },
    wanted: ({ limits }, was) => ({
      ipv4: limitsOf('ipv4', limits),
      ...(was?.ipv6 && { ipv6: limitsOf('ipv6', limits) }),
    }),
    refuse: async () => {
      if ((await readTable(run, 'ipv4')) === undefined)
        throw EngineFailed('iptables does not list the rules of this host: it comes with Docker Engine')
    },
    isOurs: () => true, // the chain belongs to the panel
    isInEffect: async () => isInEffect(await readTables(run)),
    write: (_args, state) => writeLimits(run, state ?? {}),
    notUndone: 'limits may have changed since: set that of the port',
  })
}

const textOf = ({ port, protocol, sources }: PortLimit): string =>
  `${port}/${protocol}: ${sources.length === 0 ? 'this host alone' : sources.join(', ')}`
