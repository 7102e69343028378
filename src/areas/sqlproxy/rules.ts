import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { type AdminRow, groupOf, keyOf } from '../../tools/proxysql/index.ts'
import type { Sqlproxy } from './context.ts'
import { proxyLock } from './locks.ts'
import type { QueryRule, ReadWriteSplit } from './model.ts'
import { SplitInvalid } from './problems.ts'

/** Lists the query rules in their order. */
export async function listRules({ tool }: Sqlproxy): Promise<QueryRule[]> {
  const hits = await tool.readHits()
  return Object.values(await tool.readMemory('rules'))
    .map((row) => {
      const id = Number(row['rule_id'])
      const hostgroup = row['destination_hostgroup']
      return {
        rule_id: id,
        active: row['active'] === '1',
        username: row['username'] ?? null,
        schemaname: row['schemaname'] ?? null,
        match_digest: row['match_digest'] ?? null,
        match_pattern: row['match_pattern'] ?? null,
        destination_hostgroup: hostgroup === undefined ? null : Number(hostgroup),
        apply: row['apply'] === '1',
        comment: row['comment'] ?? null,
        hits: hits.get(id) ?? 0,
      }
    })
    .toSorted((one, other) => one.rule_id - other.rule_id)
}

const firstId = 1000
const comment = 'Hostreeve: read/write split'

/** The rules of the split: reads that lock rows are for the writers, other reads for the readers, and the rest for the writers. */
const rulesOf = ({ writer_hostgroup, reader_hostgroup }: ReadWriteSplit): AdminRow[] =>
  [
    ['^SELECT.*(FOR UPDATE|LOCK IN SHARE MODE)', writer_hostgroup] as const,
    ['^SELECT', reader_hostgroup] as const,
    ['.', writer_hostgroup] as const,
  ].map(([pattern, hostgroup], at) => ({
    ...{ rule_id: String(firstId + at), active: '1', apply: '1', comment },
    ...{ match_digest: pattern, destination_hostgroup: String(hostgroup) },
  }))

/** True if the rules of the split are in the running proxy. */
export const isSplit = (rules: Readonly<Record<string, AdminRow>>): boolean =>
  Object.values(rules).filter((rule) => rule['comment'] === comment).length === 3

/** Sends reads to one hostgroup and writes to another, or no longer. */
export async function setSplit(
  { tool }: Sqlproxy,
  split: ReadWriteSplit,
): Promise<Change<{ success: true }>> {
  const { enabled, writer_hostgroup, reader_hostgroup } = split
  const rules = await tool.readMemory('rules')
  const own = Object.entries(rules).filter(([, rule]) => rule['comment'] === comment)
  if (!enabled)
    return changing(tool, 'No longer split reads from writes in the SQL proxy', {
      remove: own.map(([key]) => key),
    })
  if (writer_hostgroup === reader_hostgroup)
    throw SplitInvalid('reader_hostgroup: must be another than writer_hostgroup')
  await assertServers(tool, split)
  const put = rulesOf(split)
  const taken = put.find((row) => {
    const found = rules[keyOf(groupOf('rules'), row)]
    return found !== undefined && found['comment'] !== comment
  })
  if (taken) throw SplitInvalid(`ProxySQL has another rule ${taken['rule_id']}: give it another number first`)
  return changing(tool, 'Split reads from writes in the SQL proxy', { put })
}

/** Statements for a hostgroup without servers fail after 10 s. */
async function assertServers(
  tool: Sqlproxy['tool'],
  { writer_hostgroup, reader_hostgroup }: ReadWriteSplit,
): Promise<void> {
  const servers = Object.values(await tool.readRunning('servers'))
  const fields = { writer_hostgroup, reader_hostgroup }
  for (const [field, hostgroup] of Object.entries(fields))
    if (!servers.some((row) => row['hostgroup_id'] === String(hostgroup)))
      throw SplitInvalid(`${field}: hostgroup ${hostgroup} has no server: add one first`)
}

async function changing(
  tool: Sqlproxy['tool'],
  summary: string,
  rows: { readonly put?: readonly AdminRow[]; readonly remove?: readonly string[] },
): Promise<Change<{ success: true }>> {
  const isEmpty = (rows.put ?? []).length + (rows.remove ?? []).length === 0
  const steps = isEmpty ? [] : [step(tool.steps.setRows, { group: 'rules' as const, ...rows })]
  return change({ summary, locks: [proxyLock], steps, reply: success })
}
