import type { AppEntry } from './entry.ts'

/** What the placeholders of a file stand for. */
interface Filling {
  readonly domain: string
  readonly title: string
  readonly database?: string
  readonly database_user?: string
  readonly database_password?: string
  readonly secrets: Readonly<Record<string, string>>
}

const placeholder = /\{\{([a-z_]+)(?::([a-z_]+))?\}\}/g

/** Fills a file in. The title is the only text that people type; it is escaped for HTML. */
export function fill(content: string, { title, secrets, ...values }: Filling): string {
  const plain: Readonly<Record<string, string | undefined>> = { ...values, title: escaped(title) }
  return content.replaceAll(placeholder, (all, name: string, secret: string | undefined) => {
    const value = name === 'secret' ? secrets[secret ?? ''] : plain[name]
    if (value === undefined) throw new Error(`nothing stands for ${all}`)
    return value
  })
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (each) => entities[each]!)

/** Lists the secrets that the files of an application name. */
export const secretsIn = ({ writes }: Pick<AppEntry, 'writes'>): readonly string[] => [
  ...new Set(
    writes.flatMap(({ content }) =>
      [...content.matchAll(placeholder)].flatMap(([, name, secret]) =>
        name === 'secret' && secret !== undefined ? [secret] : [],
      ),
    ),
  ),
]
