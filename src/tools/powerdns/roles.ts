import Type from 'typebox'
import type { StepKind } from '../../core/change.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { parserOf, type PowerdnsApi, zonePath } from './api.ts'

/** The part of a server in the replication of a zone. */
export interface ZoneRole {
  readonly kind: string
  readonly masters: readonly string[]
}

type RolesState = Readonly<Record<string, ZoneRole>>

interface RolesArgs {
  /** The wanted role of each zone, by its name without a final dot. */
  readonly zones: RolesState
}

/** What PowerDNS reports on the transfer of a zone. */
export interface Transfer extends ZoneRole {
  readonly name: string
  readonly serial: number
  readonly notifiedSerial: number
  /** Unix time of the last successful question for the serial; 0 for none. */
  readonly lastCheck: number
}

const parseTransfers = parserOf(
  Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.String(),
      serial: Type.Integer(),
      notified_serial: Type.Integer(),
      last_check: Type.Integer(),
      masters: Type.Array(Type.String()),
    }),
  ),
)

/** Lists the zones with what PowerDNS knows of their transfer. */
export async function readTransfers(api: PowerdnsApi): Promise<readonly Transfer[]> {
  return parseTransfers((await api.read('/zones?dnssec=false')) ?? [])
    .map(({ name, kind, serial, notified_serial, last_check, masters }) => ({
      ...{ name: name.replace(/(?<=.)\.$/, ''), kind, serial, masters },
      notifiedSerial: notified_serial,
      lastCheck: last_check,
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** The step that makes zones primary, secondary or native; a secondary one is transferred at once. */
export function setRoles(api: PowerdnsApi): StepKind<RolesArgs, Was<RolesState>, null> {
  const read = async ({ zones }: RolesArgs): Promise<RolesState> =>
    Object.fromEntries(
      (await readTransfers(api))
        .filter(({ name }) => Object.hasOwn(zones, name))
        .map(({ name, kind, masters }) => [name, { kind, masters }]),
    )
  return stateStep<RolesArgs, RolesState>({
    name: 'powerdns.set-roles',
    plan: ({ zones }) => ({ title: `Set the replication of ${Object.keys(zones).length} zones` }),
    preview: async (args) => changed(await read(args), args.zones),
    changed: (_args, was, now) => changed(was ?? {}, now ?? {}),
    read,
    wanted: ({ zones }) => zones,
    write: async (_args, state, { now }) => {
      for (const [zone, role] of Object.entries(state ?? {})) {
        if (shown(role) === shown(now?.[zone])) continue
        await api.write({ method: 'PUT', path: zonePath(zone), body: { ...role } })
        if (role.kind === 'Slave') await api.write({ method: 'PUT', path: `${zonePath(zone)}/axfr-retrieve` })
      }
    },
  })
}

const shown = (role: ZoneRole | undefined): string | null =>
  role === undefined ? null : [role.kind, ...role.masters].join(' ')

const changed = (was: RolesState, now: RolesState) => ({
  objects: Object.entries(now)
    .filter(([zone, role]) => shown(was[zone]) !== shown(role))
    .map(([zone, role]) => ({ name: `zone ${zone}`, before: shown(was[zone]), after: shown(role) })),
})
