import Type from 'typebox'
import { boolean, id, integer, json, oneOf, optional, revision, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'

const Texts = Type.Array(Type.String())

export const firewallSettings = table('firewall_settings', {
  id: id(),
  is_enabled: boolean(),
  bans_sign_ins: boolean(),
  attempts: integer(),
  window_minutes: integer(),
  ban_minutes: integer(),
  never_ban: json(Texts),
  /** What filters: the table of the panel alone, or beside another firewall (docs/decisions/0049, 0054). */
  driver: oneOf(['nftables', 'ufw', 'firewalld']),
  revision: revision(),
})
export type SettingsRow = RowOf<typeof firewallSettings>
export type Driver = SettingsRow['driver']

export const firewallRules = table(
  'firewall_rules',
  {
    id: id(),
    /** Ascending in the order of the rules. */
    rank: integer(),
    action: oneOf(['allow', 'deny', 'reject', 'limit']),
    protocol: oneOf(['any', 'tcp', 'udp', 'icmp']),
    family: oneOf(['any', 'ipv4', 'ipv6']),
    ports: json(Texts),
    sources: json(Texts),
    rate: optional(text(16)),
    comment: text(200),
  },
  { noun: 'rule', notUndone: { insert: confirmed(), delete: confirmed() } },
)
export type RuleRow = RowOf<typeof firewallRules>

export const firewallBans = table(
  'firewall_bans',
  {
    /** As `banKey` returns it. */
    address: text(50, { key: true }),
    reason: text(500),
    source: oneOf(['manual', 'panel', 'ssh']),
    banned_at: time(),
    until: optional(time()),
  },
  { noun: 'ban' },
)
export type BanRow = RowOf<typeof firewallBans>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly firewall_settings: SettingsRow
    readonly firewall_rules: RuleRow
    readonly firewall_bans: BanRow
  }
}

function confirmed(): string {
  return 'rules that could lock you out are confirmed: change them under Firewall'
}

/** Returns this area's queries. */
export function firewallQueries(store: Store) {
  const { db } = store
  return {
    settings: (): Promise<SettingsRow> =>
      db.selectFrom('firewall_settings').selectAll().where('id', '=', 1).executeTakeFirstOrThrow(),
    /** The rules in their order. */
    rules: (): Promise<readonly RuleRow[]> =>
      db.selectFrom('firewall_rules').selectAll().orderBy('rank').orderBy('id').execute(),
    rule: (ruleId: number): Promise<RuleRow> => queriesOf(store, firewallRules).load({ id: ruleId }),
    /** The bans in force, the latest first. */
    bans: async (now: Date): Promise<readonly BanRow[]> => {
      const rows = await db.selectFrom('firewall_bans').selectAll().orderBy('banned_at', 'desc').execute()
      return rows.filter(({ until }) => until === null || until > now.toISOString())
    },
    /** The bans that are over, of which the row remains. */
    endedBans: async (now: Date): Promise<readonly BanRow[]> =>
      db.selectFrom('firewall_bans').selectAll().where('until', '<=', now.toISOString()).limit(500).execute(),
    /** The changes that wait for a confirmation. */
    provisional: () =>
      db
        .selectFrom('changes')
        .select(['id', 'summary', 'locks', 'confirm_until'])
        .where('state', '=', 'provisional')
        .execute(),
    /** The addresses of open sessions of superusers. */
    administrators: async (now: Date): Promise<readonly string[]> => {
      const rows = await db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.user_id')
        .select('sessions.ip')
        .where('users.is_admin', '=', 1)
        .where('sessions.expires_at', '>', now.toISOString())
        .execute()
      return rows.map(({ ip }) => ip)
    },
  }
}

export type FirewallQueries = ReturnType<typeof firewallQueries>
