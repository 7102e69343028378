import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import { success, type ListQuery, type Page } from '../../core/reply.ts'
import type { RecordSet } from '../../tools/powerdns/index.ts'
import type { Authdns } from './context.ts'
import type { RecordSetDraft, Template, TemplateDraft, TemplateValues, ZoneChanged } from './model.ts'
import { TemplateInvalid, TemplateTaken } from './problems.ts'
import { findWritable, setsChange } from './records/change.ts'
import { wantedSets } from './records/sets.ts'
import { isKnownType } from './records/types.ts'
import { templateQueries, type TemplateRow, templates } from './store.ts'

const templateLock = lock('dns_template')
const placeholder = /\{\{\s*([a-z0-9_]{1,64})\s*\}\}/g

/** Lists the templates, a page at a time. */
export async function listTemplates({ store }: Authdns, query: ListQuery): Promise<Page<Template>> {
  const { items, total } = await templateQueries(store).page(query)
  return { items: items.map(shownTemplate), total }
}

/** Reads a template; 404 where there is none. */
export const readTemplate = async ({ store }: Authdns, id: number): Promise<Template> =>
  shownTemplate(await templateQueries(store).load({ id }))

/** Adds a template. */
export async function createTemplate(
  on: Authdns,
  draft: TemplateDraft,
  { id, now }: Pick<Deciding, 'id' | 'now'>,
): Promise<Change<Template>> {
  await assertValid(on, draft)
  const { name, description = '', records } = draft
  const created_at = now.toISOString()
  const row = templates.row({ id: id(templates.name), name, description, records, created_at })
  return change({
    summary: `Add the DNS template ${name}`,
    locks: [templateLock(name)],
    rows: [templates.insert(row)],
    reply: shownTemplate(row),
  })
}

/** Replaces a template. Zones to which it was applied stay as they are. */
export async function replaceTemplate(
  on: Authdns,
  id: number,
  draft: TemplateDraft,
): Promise<Change<Template>> {
  const row = await templateQueries(on.store).load({ id })
  await assertValid(on, draft, id)
  const { name, description = '', records } = draft
  return change({
    summary: `Replace the DNS template ${row.name}`,
    locks: [templateLock(row.name), ...(name === row.name ? [] : [templateLock(name)])],
    rows: [templates.update(row, { name, description, records })],
    reply: shownTemplate(templates.changed(row, { name, description, records })),
  })
}

/** Deletes a template. Zones to which it was applied stay as they are. */
export async function deleteTemplate({ store }: Authdns, id: number): Promise<Change<{ success: true }>> {
  const { name } = await templateQueries(store).load({ id })
  return change({
    summary: `Delete the DNS template ${name}`,
    locks: [templateLock(name)],
    rows: [templates.delete({ id })],
    reply: success,
  })
}

interface Application extends TemplateValues {
  readonly id: number
  readonly zone: string
  readonly force: boolean
}

/** Sets the record sets of a template in a zone, with values for its placeholders. */
export async function applyTemplate(
  on: Authdns,
  { id, zone: typed, values = {}, force }: Application,
): Promise<Change<ZoneChanged>> {
  const { records } = templates.show(await templateQueries(on.store).load({ id }))
  const zone = await findWritable(on, typed)
  return setsChange(on, zone, { sets: filledSets(records, { zone: zone.name, values }), force })
}

interface Filling {
  readonly zone: string
  readonly values: Readonly<Record<string, string>>
}

/** Returns the record sets that the records of a template become in a zone. */
export function filledSets(
  records: TemplateDraft['records'],
  { zone, values }: Filling,
): readonly RecordSet[] {
  const given: Readonly<Record<string, string>> = { ...values, zone }
  const fill = (text: string) => text.replaceAll(placeholder, (_found, name: string) => valueOf(given, name))
  const filled = records.map((record) => ({
    ...record,
    name: fill(record.name),
    content: fill(record.content),
  }))
  return wantedSets(setsOf(filled), zone)
}

function valueOf(values: Readonly<Record<string, string>>, name: string): string {
  const value = values[name] ?? ''
  if (value === '') throw TemplateInvalid(`values.${name}: the template needs a value for {{${name}}}`)
  return value
}

/** Records of a name and type become one set, with the TTL of the first. */
function setsOf(records: TemplateDraft['records']): readonly RecordSetDraft[] {
  const groups = Map.groupBy(records, ({ name, type }) => `${name.toLowerCase()} ${type.toUpperCase()}`)
  return [...groups.values()].map(([first, ...others]) => ({
    name: first!.name,
    type: first!.type,
    ...(first!.ttl !== undefined && { ttl: first!.ttl }),
    records: [first!, ...others].map(({ content }) => ({ content })),
  }))
}

async function assertValid({ store }: Authdns, { name, records }: TemplateDraft, id?: number): Promise<void> {
  const same = await templateQueries(store).find({ name })
  if (same !== undefined && same.id !== id) throw TemplateTaken(`name: there is a template ${name}`)
  for (const [at, { type, name: recordName, content }] of records.entries()) {
    if (!isKnownType(type.toUpperCase()))
      throw TemplateInvalid(`records[${at}].type: ${type} is not a type of records that can be set`)
    if (`${recordName}${content}`.replaceAll(placeholder, '').includes('{{'))
      throw TemplateInvalid(
        `records[${at}]: a placeholder has the form {{name}}, of lower-case letters, digits and _`,
      )
  }
}

function shownTemplate(row: TemplateRow): Template {
  const shown = templates.show(row)
  return { ...shown, placeholders: placeholdersOf(shown.records) }
}

/** Returns the values that records need besides the name of the zone. */
export function placeholdersOf(records: TemplateDraft['records']): string[] {
  const texts = records.flatMap(({ name, content }) => [name, content])
  const names = texts.flatMap((text) => [...text.matchAll(placeholder)].map(([, name = '']) => name))
  return [...new Set(names)].filter((name) => name !== 'zone').toSorted()
}
