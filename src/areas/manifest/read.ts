import type { TSchema } from 'typebox'
import { binder } from '../../core/bind.ts'
import { assertConsistent } from './check.ts'
import { Manifest } from './manifest-model.ts'
import { maxManifestBytes, maxObjects } from './model.ts'
import { ManifestInvalid, ManifestTooLarge } from './problems.ts'
import { readText } from './text.ts'

const bind = binder(Manifest, 'text')

/** Reads and checks the text of a manifest; fails with the place that is wrong and what would be right. */
export async function readManifest(text: string): Promise<Manifest> {
  if (Buffer.byteLength(text) > maxManifestBytes) throw ManifestTooLarge('text: must be at most 1 MiB')
  const value = await readText(text)
  if (!isObject(value)) throw ManifestInvalid('text: must be a mapping with version: 1 and sections')
  const unknown = findUnknown(Manifest, value, '')
  if (unknown !== undefined) throw ManifestInvalid(unknown)
  const { value: manifest, issue } = bind(value)
  if (issue !== undefined) throw ManifestInvalid(withIndexes(issue))
  const read: Manifest = manifest
  const count = [read.users, read.websites, read.databases, read.zones, read.firewall_rules]
    .map((section) => section?.length ?? 0)
    .reduce((sum, each) => sum + each, 0)
  if (count > maxObjects)
    throw ManifestTooLarge(`text: has ${count} objects: at most ${maxObjects}, so use several manifests`)
  assertConsistent(read)
  return read
}

interface Keywords {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly items?: TSchema
}

/** Returns what is wrong with the first field that the schema does not have. */
function findUnknown(schema: TSchema, value: unknown, path: string): string | undefined {
  const { properties, items }: Keywords = schema
  if (Array.isArray(value) && items !== undefined)
    return firstOf(value.entries(), ([index, item]) => findUnknown(items, item, `${path}[${index}]`))
  if (!isObject(value) || properties === undefined) return undefined
  return firstOf(Object.entries(value), ([key, part]) => {
    // a key that is no name of a field may be a password in the wrong place
    const name = /^[A-Za-z_]{1,40}$/.test(key) ? key : '(a key)'
    const place = path === '' ? name : `${path}.${name}`
    const known = Object.hasOwn(properties, key) ? properties[key] : undefined
    if (known !== undefined) return findUnknown(known, part, place)
    return `${place.slice(0, 200)}: is not a field; the fields are ${Object.keys(properties).join(', ')}`
  })
}

function firstOf<Item>(items: Iterable<Item>, find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The binder separates all parts of a path by dots: `websites.2.domain`. */
const withIndexes = (issue: string): string =>
  issue.replace(/^[^:]+(?=:)/, (path) => path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]'))
