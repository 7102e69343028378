import Type from 'typebox'
import { type Change, change, type Enqueued, type RowWrite, step } from '../../core/change.ts'
import { singleLock } from '../../core/lock.ts'
import { success } from '../../core/reply.ts'
import { type NftRule, renderTable } from '../../tools/nftables/index.ts'
import { type Firewall, work } from './context.ts'
import type { FirewallChange } from './model.ts'
import { type AreaPort, openPorts } from './open-ports.ts'
import { type Driver, firewallRules, type RuleRow } from './store.ts'

/** Held by every change of the rules, until it is confirmed. */
export const firewallLock = singleLock('firewall')
const bootLock = singleLock('firewall-boot')

interface TableChange<Reply> {
  readonly summary: string
  readonly userId: number | null
  /** The rules afterwards; null where the firewall is off afterwards. */
  readonly rules: readonly RuleRow[] | null
  /** What filters afterwards. Default: what does now. */
  readonly driver?: Driver
  /** The ports that areas open. Default: as the areas list them now. */
  readonly areas?: readonly AreaPort[]
  readonly rows?: readonly RowWrite[]
  /** True if it may lock its author out. */
  readonly isRisky: boolean
  /** The effects that its steps do not show. */
  readonly details?: readonly string[]
  readonly reply: (done: FirewallChange) => Reply
}

/** Loads the table with these rules, and writes what the host starts with once that is settled. */
export async function tableChange<Reply>(
  on: Firewall,
  { summary, userId, rules, driver, areas, rows = [], isRisky, details = [], reply }: TableChange<Reply>,
): Promise<Change<Reply>> {
  const text = rules === null ? null : await renderRules(on, rules, { driver, areas })
  return change({
    summary,
    locks: [firewallLock],
    steps: [step(on.nftables.steps.loadTable, { text })],
    rows,
    jobs: [{ kind: keeping.kind, input: {}, ownerId: userId, title: 'Keep the firewall for the next start' }],
    details,
    ...(isRisky && { provisional: on.confirmSeconds }),
    reply: (done: Enqueued) => reply(awaited(done)),
  })
}

/** What has to be confirmed, and until when; null where nothing has. */
function awaited({ confirmation }: Enqueued): FirewallChange {
  return {
    change_id: confirmation?.change_id ?? null,
    confirm_before: confirmation?.confirm_before ?? null,
  }
}

interface Rendering {
  readonly driver?: Driver | undefined
  readonly areas?: readonly AreaPort[] | undefined
}

/** Renders the table with these rules and the ports that are open without one, for what filters now by default. */
export async function renderRules(
  on: Firewall,
  rules: readonly RuleRow[],
  { driver: wanted, areas }: Rendering = {},
): Promise<string> {
  const driver = wanted ?? (await on.queries.settings()).driver
  return renderTable({
    rules: rules.map(asNftRule),
    always: [on.panelPort],
    open: (await listOpened(on, driver, areas)).filter(({ port }) => port !== on.panelPort),
    ...(driver !== 'nftables' && { otherFirewall: driver }),
  })
}

/** Lists the ports that are open without a rule; another firewall decides about that of sshd itself. */
export async function listOpened(
  on: Firewall,
  driver: Driver,
  listed?: readonly AreaPort[],
): Promise<readonly AreaPort[]> {
  const [ssh, areas] = await Promise.all([driver === 'nftables' ? sshPorts(on) : [], listed ?? areaPorts(on)])
  const own = { port: on.panelPort, protocol: 'tcp', name: 'Panel', reason: 'No rule closes it' } as const
  const sign = { protocol: 'tcp', name: 'SSH', reason: 'sshd listens on it' } as const
  const all = [own, ...ssh.map((port) => ({ port, ...sign })), ...areas]
  const seen = new Set<string>()
  return all.filter(({ port, protocol, ...each }: AreaPort) => {
    const key = [protocol, port, ...(each.sources ?? [])].join(' ')
    return !seen.has(key) && seen.add(key)
  })
}

/** Lists the ports that areas opened. */
export async function areaPorts({ partsOf }: Firewall): Promise<readonly AreaPort[]> {
  return (await Promise.all(partsOf(openPorts).map((list) => list()))).flat()
}

/** The ports of sshd; 22 where it does not tell. */
async function sshPorts({ run }: Firewall): Promise<readonly number[]> {
  const { code, stdout } = await run(['sshd', '-T'], { timeoutMs: 10_000 })
  const ports = [...stdout.matchAll(/^port (\d+)$/gm)].map(([, port]) => Number(port))
  return code === 0 && ports.length > 0 ? ports : [22]
}

function asNftRule(row: RuleRow): NftRule {
  const { id, action, protocol, ports, sources, family, rate = null } = firewallRules.show(row)
  return { id, action, protocol, ports, sources, family, rate: rate ?? null }
}

/** Writes the table that the host starts with: the rules as they are settled. */
export const keeping = work({
  kind: 'firewall.keep',
  input: Type.Object({}),
  reply: Type.Object({ success: Type.Literal(true) }),
  timeoutMs: 60_000,
  attempts: 3,
  resumes: true,
  decide: async ({ firewall }) => {
    const { is_enabled: isEnabled, driver } = await firewall.queries.settings()
    const text = isEnabled ? await renderRules(firewall, await firewall.queries.rules()) : null
    const { ufw, firewalld } = firewall
    const isAdmitted = (by: Driver) => ({ isAdmitted: isEnabled === 1 && driver === by })
    return change({
      summary: 'Keep the firewall for the next start of the host',
      locks: [bootLock],
      steps: [
        ...((await ufw.isInstalled()) ? [step(ufw.steps.admitMarked, isAdmitted('ufw'))] : []),
        ...((await firewalld.isInstalled())
          ? [step(firewalld.steps.admitMarked, isAdmitted('firewalld'))]
          : []),
        step(firewall.nftables.steps.keepTable, { text }),
      ],
      reply: success,
    })
  },
})
