import type { Catalog, CatalogApp, CatalogPart, Category } from '../../catalog/model.ts'

/** One container of an entry. */
export type Part = Pick<CatalogPart, 'key' | 'name' | 'image' | 'ports' | 'env' | 'volumes' | 'memory_mb'> & {
  readonly isOptional: boolean
}

/** An app or a stack, as the catalog shows it. */
export interface Entry {
  readonly kind: 'app' | 'stack'
  readonly id: string
  readonly name: string
  readonly icon: string
  readonly category: Category
  readonly description: string
  readonly note: string | undefined
  readonly parts: readonly Part[]
}

/** What the reader looks for; empty texts match everything. */
export interface Sought {
  readonly text: string
  readonly category: Category | ''
  readonly kind: Entry['kind'] | ''
}

/** Returns the apps and stacks of the catalog, sorted by name. */
export const entriesOf = ({ apps, stacks }: Catalog): readonly Entry[] =>
  [
    ...apps.map((app): Entry => ({
      ...headOf(app),
      kind: 'app',
      parts: [{ ...app, key: app.id, isOptional: false }],
    })),
    ...stacks.map((stack): Entry => ({
      ...headOf(stack),
      kind: 'stack',
      parts: stack.services.map((service) => ({ ...service, isOptional: service.default_off })),
    })),
  ].toSorted((one, other) => one.name.localeCompare(other.name))

type Head = Pick<CatalogApp, 'id' | 'name' | 'icon' | 'category' | 'description' | 'note'>

const headOf = ({ id, name, icon, category, description, note }: Head) => ({
  id,
  name,
  icon,
  category,
  description,
  note,
})

/** Returns the entries whose name, description or images contain each word of the text. */
export function findEntries(entries: readonly Entry[], { text, category, kind }: Sought): readonly Entry[] {
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean)
  return entries
    .filter(
      (entry) => (category === '' || entry.category === category) && (kind === '' || entry.kind === kind),
    )
    .filter((entry) => {
      const content = contentOf(entry)
      return terms.every((term) => content.includes(term))
    })
}

const contentOf = ({ id, name, description, parts }: Entry): string =>
  [id, name, description, ...parts.flatMap((part) => [part.name, part.image])].join(' ').toLowerCase()

const masked = /=•+$/

/** Names the variables whose values are generated at the launch. */
export const secretsOf = (parts: readonly Part[]): readonly string[] => [
  ...new Set(
    parts.flatMap(({ env }) =>
      env.filter((line) => masked.test(line)).map((line) => line.slice(0, line.indexOf('='))),
    ),
  ),
]

/** Names the folders of the host that the containers use; a launch creates those that are missing. */
export const foldersOf = (parts: readonly Part[], name: string): readonly string[] => [
  ...new Set(
    parts
      .flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0] ?? ''))
      .filter((source) => source.startsWith('/'))
      .map((source) => source.replaceAll('{{name}}', name)),
  ),
]
