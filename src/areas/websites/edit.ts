import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { passwordSteps, protectedAfter } from './basic-auth.ts'
import { aliasRows, assertFree } from './aliases.ts'
import type { Websites } from './context.ts'
import type { Website, WebsiteEdit } from './model.ts'
import { isMove, moveWebsite } from './move.ts'
import { suspendedParts } from './parts.ts'
import { poolSteps, versionLocks } from './php-site.ts'
import { HstsWithoutRedirect, SettingInvalid } from './problems.ts'
import { changedSettings } from './settings.ts'
import type { SiteSettings } from './settings-model.ts'
import { editedSite, type EditRequest, type Loaded, locksOf, settingsRow, showWebsite } from './site.ts'
import { websiteAliases, websiteSettings } from './store.ts'
import { authoritySteps } from './upstream-tls.ts'

/** An edit that may also suspend the website or serve it again. */
interface Edit extends WebsiteEdit {
  readonly is_suspended?: boolean
}

/** Changes the fields that are given. */
export async function editWebsite(
  on: Websites,
  site: Loaded,
  edit: Edit,
  request: Deciding & EditRequest,
): Promise<Change<Website>> {
  if (isMove(edit, site)) return moveWebsite(on, site, edit, request)
  const { domain: _, username: __, aliases, https_redirect, hsts, basic_auth, ...rest } = edit
  const { is_suspended, ...given } = rest
  if (aliases !== undefined) await assertFree(on, site, aliases, request.caller)
  const settings = await changedSettings(on, site, given, request.caller)
  const folders = await foldersAfter(on, site, basic_auth)
  const tls = tlsOf(site, { https_redirect, hsts })
  const suspended = is_suspended === undefined ? {} : { is_suspended }
  const { next, row, steps } = await editedSite(
    on,
    site,
    { ...(aliases && { aliases }), ...tls, ...suspended, settings, protectedFolders: folders.next },
    { ...request, refusal: SettingInvalid },
  )
  const authorities = authoritySteps(on, site, next)
  const pool = await poolSteps(on, site, next)
  const isSet = Object.keys(given).length > 0 || basic_auth !== undefined
  return change({
    summary: summaryOf(site, edit),
    locks: [...locksOf([site.domain, ...next.aliases]), ...versionLocks(site, next)],
    steps: [
      ...pool.first,
      ...folders.first,
      ...authorities.first,
      ...steps,
      ...authorities.last,
      ...folders.last,
      ...pool.last,
      ...(is_suspended === undefined ? [] : await suspendedParts(on, site, is_suspended)),
    ],
    rows: [
      row,
      ...(aliases === undefined
        ? []
        : [websiteAliases.delete({ website_id: site.id }), ...aliasRows(site.id, aliases)]),
      ...(isSet ? [websiteSettings.delete({ website_id: site.id }), settingsRow(next)] : []),
    ],
    reply: showWebsite(next),
  })
}

/** Returns the protected folders after an edit, and the steps that write their passwords. */
async function foldersAfter(on: Websites, site: Loaded, asked: WebsiteEdit['basic_auth']) {
  const was = site.protectedFolders
  if (asked === undefined) return { next: was, first: [], last: [] }
  const next = await protectedAfter(on, site, asked)
  return { next, ...passwordSteps(on, site.id, was, next) }
}

function summaryOf({ domain }: Loaded, edit: Edit): string {
  const fields = Object.keys(edit).join(', ').replaceAll('_', ' ')
  return fields === '' ? `Change nothing of ${domain}` : `Set the ${fields} of ${domain}`
}

function tlsOf(site: Loaded, edit: Pick<WebsiteEdit, 'https_redirect' | 'hsts'>) {
  const { https_redirect = site.https_redirect === 1, hsts = site.hsts === 1 } = edit
  if (hsts && !https_redirect)
    throw HstsWithoutRedirect('hsts: needs https_redirect: browsers ignore it over http')
  return { https_redirect, hsts }
}

/** Replaces the certificate that a website is served with; null serves it over http alone. */
export async function withCertificate(
  on: Websites,
  site: Loaded,
  certificate: string | null,
  request: EditRequest,
) {
  const { row, steps } = await editedSite(on, site, { certificate }, request)
  return { row, steps, locks: locksOf([site.domain, ...site.aliases]) }
}

/** What an area that knows the application of a website protects it with. */
type SiteHardening = Pick<SiteSettings, 'upload_folders' | 'refused_scripts' | 'sign_in_script'>

/** Replaces the protection of a website; fields that are absent are taken away. */
export async function hardenedSite(
  on: Websites,
  site: Loaded,
  hardening: SiteHardening,
  request: EditRequest,
) {
  const { refused_scripts: _refused, sign_in_script: _script, ...kept } = site.settings
  const settings = { ...kept, ...hardening }
  const { next, row, steps } = await editedSite(
    on,
    site,
    { settings },
    { ...request, refusal: SettingInvalid },
  )
  return {
    steps,
    rows: [row, websiteSettings.delete({ website_id: site.id }), settingsRow(next)],
  }
}
