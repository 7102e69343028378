import { type Change, change } from '../../core/change.ts'
import { setAliases } from './aliases.ts'
import type { Websites } from './context.ts'
import type { Website, WebsiteEdit } from './model.ts'
import { HstsWithoutRedirect } from './problems.ts'
import { editedSite, type EditRequest, type Loaded, locksOf, showWebsite } from './site.ts'

/** Changes the fields that are given. */
export async function editWebsite(
  on: Websites,
  site: Loaded,
  edit: WebsiteEdit,
  request: EditRequest,
): Promise<Change<Website>> {
  const { https_redirect = site.https_redirect === 1, hsts = site.hsts === 1 } = edit
  if (hsts && !https_redirect)
    throw HstsWithoutRedirect('hsts: needs https_redirect: browsers ignore it over http')
  const { aliases = site.aliases } = edit
  const tls = { https_redirect, hsts }
  if (edit.https_redirect === undefined && edit.hsts === undefined)
    return setAliases(on, site, aliases, request)
  if (edit.aliases !== undefined) return setAliases(on, site, aliases, request, tls)
  const { next, row, steps } = editedSite(on, site, tls, request)
  return change({
    summary: `Change how ${site.domain} is served over https`,
    locks: locksOf([site.domain]),
    steps,
    rows: [row],
    reply: showWebsite(next),
  })
}

/** Replaces the certificate that a website is served with; null serves it over http alone. */
export function withCertificate(
  on: Websites,
  site: Loaded,
  certificate: string | null,
  request: EditRequest,
) {
  const { row, steps } = editedSite(on, site, { certificate }, request)
  return { row, steps, locks: locksOf([site.domain, ...site.aliases]) }
}
