import type { DnsdistParts } from './parts.ts'

/** The rights of files with keys: the account of dnsdist reads them by the group of its configuration. */
export async function rightsOf({ host: { files }, layout }: Pick<DnsdistParts, 'host' | 'layout'>) {
  const facts = await files.facts(layout.configPath)
  return { mode: 0o640, uid: facts?.uid ?? 0, gid: facts?.gid ?? 0 }
}
