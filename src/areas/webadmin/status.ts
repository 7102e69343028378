import { pathOf, urlOf } from './address.ts'
import type { WebadminArea } from './context.ts'
import type { Webadmin } from './model.ts'
import { NoAlias, NotInstalled } from './problems.ts'
import type { ServedWebadmin } from './store.ts'

/** Reads whether phpMyAdmin is installed, and where it is served; changes nothing. */
export async function readWebadmin({ queries, tool }: WebadminArea): Promise<Webadmin> {
  const [served, [newest]] = await Promise.all([queries.served(), tool.versions()])
  if (newest === undefined) return { installed: false, version: null, path: null, url: null }
  if (served === undefined) return { installed: true, version: newest, path: null, url: null }
  return { installed: true, version: served.version, path: pathOf(served), url: urlOf(served) }
}

/** Returns how it is served; throws NotInstalled, or NoAlias where only its files are there. */
export async function loadServed({ queries, tool }: WebadminArea): Promise<ServedWebadmin> {
  const [served, versions] = await Promise.all([queries.served(), tool.versions()])
  if (versions.length === 0) throw NotInstalled()
  if (served === undefined || !versions.includes(served.version)) throw NoAlias()
  return served
}
