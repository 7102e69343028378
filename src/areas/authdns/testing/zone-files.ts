import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('zones/', import.meta.url)

/** Zone files of ordinary sites, by zone; each is accepted by named-checkzone. */
export const zoneFiles: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(folder).map((name) => [
    name.replace(/\.zone$/, ''),
    readFileSync(new URL(name, folder), 'utf8'),
  ]),
)
