import Type from 'typebox'
import { change, step } from '../../core/change.ts'
import { Forbidden } from '../../core/problem.ts'
import { Id, Optional } from '../../core/schemas.ts'
import { work } from './context.ts'
import { CloneDraft } from './model.ts'
import { CloningAlready } from './problems.ts'
import { type Loaded, loadWebsite } from './site.ts'
import { createdSite, newRow, ownerFor } from './create.ts'

/** Copies a website to another domain: its files and settings, without aliases, certificate and logs. */
export const cloning = work({
  kind: 'websites.clone',
  input: Type.Object({
    ...{ website_id: Id, id: Id, ...CloneDraft.properties },
    /** True if it repeats the change of another panel. */
    is_mirrored: Optional(Type.Boolean()),
  }),
  reply: Type.Object({ id: Id }),
  lane: 'files',
  timeoutMs: 7_200_000,
  attempts: 1,
  resumes: false,
  single: CloningAlready,
  decide: async ({ input, caller: cloner, now, signal, websites: on }) => {
    const { website_id, id, domain, username, is_mirrored } = input
    if (cloner === null) throw Forbidden()
    const caller = { ...cloner, ...(is_mirrored && { isMirrored: true as const }) }
    const source = await loadWebsite(on, website_id, caller)
    const request = { caller, now, signal, id: () => id, query: { overwrite: false } }
    const owner = await ownerFor(on, { username: username ?? source.username }, request)
    const { type, protectedFolders } = source
    const { page_cache: _, ...settings } = source.settings
    const site: Loaded = {
      ...newRow({ domain, type }, owner, request),
      aliases: [],
      settings: { ...settings, shared_subdomains: false },
      protectedFolders,
      hasAccessRules: false,
    }
    const { locks, steps, rows } = await createdSite(on, site, request, ({ folders, nginx }) => [
      step(folders.copy, {
        from: { username: source.username, domain: source.domain },
        to: { username: site.username, domain },
        id,
      }),
      step(folders.make, { username: site.username, domain, logs: nginx.logDirectory(domain) }),
    ])
    return change({
      summary: `Copy ${source.domain} to ${domain} for ${site.username}`,
      locks,
      steps,
      rows,
      reply: { id },
    })
  },
})
