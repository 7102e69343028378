import { type Change, change, step } from '../../../core/change.ts'
import type { Deciding } from '../../../core/endpoint.ts'
import { success } from '../../../core/reply.ts'
import { isAddress } from '../../../host/fetch/index.ts'
import { keyOf, type RecordSet, renderLuaRecord } from '../../../tools/powerdns/index.ts'
import type { Authdns } from '../context.ts'
import { serverLock, zoneLock } from '../locks.ts'
import { recordName, zoneName } from '../names.ts'
import { RuleInvalid, RuleNotFound, RuleTaken, ZoneInvalid, ZoneNotFound } from '../problems.ts'
import { findZoneFacts } from '../zones.ts'
import { rulesSettings } from './geo.ts'
import type { GeoRecord, RuleDraft, RuleEdit, Simulated, Simulation, SmartRule } from './model.ts'
import { steeringOf } from './steering.ts'
import { type RuleRow, smartRules } from './store.ts'

const defaultTtl = 60
type Request = Pick<Deciding, 'now' | 'id'>

/** Lists the smart rules, or those of one zone. */
export async function listRules({ rules }: Authdns, zone: string | undefined): Promise<SmartRule[]> {
  const wanted = zone === undefined ? undefined : zoneName(zone, 'zone')
  return (await rules.all()).filter((row) => wanted === undefined || row.zone === wanted).map(showRule)
}

/** Adds a rule, and the LUA record that carries it out. */
export async function createRule(
  on: Authdns,
  draft: RuleDraft,
  { now, id }: Request,
): Promise<Change<{ id: number }>> {
  const zone = await findZoneFacts(on, draft.zone)
  if (zone.kind === 'Slave')
    throw ZoneInvalid(`zone: ${zone.name} is transferred from another server: make the rule there`)
  const { record_type = 'A', rule_type, config = {} } = draft
  const row = smartRules.row({
    id: id(smartRules.name),
    zone: zone.name,
    record_name: recordName(draft.record_name, zone.name, 'record_name'),
    ...{ record_type, rule_type, config },
    enabled: true,
    created_at: now.toISOString(),
  })
  const others = await on.rules.atName(row.record_name)
  if (others.some((other) => other.record_type === record_type))
    throw RuleTaken(`record_name: ${row.record_name} has a rule of type ${record_type}: change it`)
  return change({
    summary: `Add the smart rule ${shownRule(row)}`,
    locks: [serverLock, zoneLock(zone.name)],
    steps: await stepsOf(on, { was: undefined, row, now }),
    rows: [smartRules.insert(row)],
    reply: { id: row.id },
  })
}

/** Adds a rule by country. */
export const createGeoRecord = (
  on: Authdns,
  zone: string,
  { name, type, countries, default: fallback, ttl }: GeoRecord,
  request: Request,
): Promise<Change<{ id: number }>> =>
  createRule(
    on,
    {
      ...{ zone, record_name: name, rule_type: 'geo' },
      ...(type && { record_type: type }),
      config: { countries, default: fallback, ...(ttl !== undefined && { ttl }) },
    },
    request,
  )

/** Changes the type, the configuration or the state of a rule; absent fields stay. */
export async function editRule(
  on: Authdns,
  id: number,
  edit: RuleEdit,
  { now }: Pick<Request, 'now'>,
): Promise<Change<{ success: true }>> {
  const was = await findRule(on, id)
  if ((await on.tool.readZoneFacts(was.zone)) === undefined)
    throw ZoneNotFound(`id: PowerDNS has no zone ${was.zone} any more: delete the rule`)
  const row = smartRules.changed(was, edit)
  return change({
    summary: `Change the smart rule ${shownRule(row)}`,
    locks: [serverLock, zoneLock(was.zone)],
    steps: await stepsOf(on, { was, row, now }),
    rows: [smartRules.update(was, edit)],
    reply: success,
  })
}

/** Removes a rule and its record; the record of a zone that is gone is gone too. */
export async function deleteRule(
  on: Authdns,
  id: number,
  { now }: Pick<Request, 'now'>,
): Promise<Change<{ success: true }>> {
  const was = await findRule(on, id)
  const hasZone = (await on.tool.readZoneFacts(was.zone)) !== undefined
  return change({
    summary: `Remove the smart rule ${shownRule(was)}`,
    locks: [serverLock, zoneLock(was.zone)],
    steps: hasZone ? await stepsOf(on, { was, row: undefined, now }) : [],
    rows: [smartRules.delete({ id })],
    reply: success,
  })
}

/** Asks the running server as it would be asked on behalf of a client. */
export async function simulate({ tool }: Authdns, asked: Simulation): Promise<Simulated> {
  const { record_type: type = 'A', address } = asked
  if (!isAddress(address) || address.includes('%')) throw RuleInvalid('address: must be an IP address')
  const name = recordName(asked.record_name, zoneName(asked.zone, 'zone'), 'record_name')
  const { code, values, ttl } = await tool.ask({ name, type, client: address })
  return { code: codes[code] ?? String(code), answers: [...values], ttl }
}

const codes: Readonly<Record<number, string>> = { 0: 'NOERROR', 2: 'SERVFAIL', 3: 'NXDOMAIN', 5: 'REFUSED' }

interface Replacing {
  readonly was: RuleRow | undefined
  readonly row: RuleRow | undefined
  readonly now: Date
}

/** The steps that replace the record of a rule by that of its next state. */
async function stepsOf(on: Authdns, { was, row, now }: Replacing) {
  const { zone, record_name: name } = (row ?? was)!
  const content = row && contentOf(row)
  const isServed = row !== undefined && row.enabled === 1
  const before = was && was.enabled === 1 ? contentOf(was) : undefined
  const types: ReadonlySet<string> = new Set(['LUA', 'CNAME', ...(row ? [row.record_type] : [])])
  const sets = (await on.tool.readNames(zone, [name])).filter(({ type }) => types.has(type))
  const plain = sets.find(({ type, records }) => type !== 'LUA' && records.length > 0)
  if (isServed && plain !== undefined)
    throw RuleInvalid(`record_name: ${keyOf(plain)} records exist, which would be answered too: remove them`)
  const lua = sets.find(({ type }) => type === 'LUA')
  const kept = (lua?.records ?? []).filter((record) => record.content !== before)
  const records = isServed && content ? [...kept, { content, disabled: false }] : kept
  const ttl = isServed ? (smartRules.show(row).config.ttl ?? defaultTtl) : (lua?.ttl ?? defaultTtl)
  const wanted: RecordSet = { name, type: 'LUA', ttl, records }
  const settings = await rulesSettings(on, now, isServed && row.rule_type === 'geo')
  const isSet = !isServed || (await on.tool.hasSettings('rules', settings))
  return [
    ...(isSet ? [] : [step(on.tool.steps.writeSettings, { file: 'rules' as const, settings })]),
    step(on.tool.steps.setRecords, { zone, sets: [wanted] }),
  ]
}

function contentOf(row: RuleRow): string {
  const { record_type: type, rule_type: rule, config } = smartRules.show(row)
  return renderLuaRecord(type, steeringOf({ rule, type }, config))
}

async function findRule({ rules }: Authdns, id: number): Promise<RuleRow> {
  const row = await rules.find(id)
  if (row === undefined) throw RuleNotFound()
  return row
}

const shownRule = ({ record_name, record_type, rule_type }: RuleRow): string =>
  `${rule_type} of ${record_name} ${record_type}`

function showRule(row: RuleRow): SmartRule {
  const { revision: _revision, ...shown } = smartRules.show(row)
  return shown
}
