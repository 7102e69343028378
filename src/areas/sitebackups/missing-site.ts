import { Value } from 'typebox/value'
import type { Caller } from '../../core/caller.ts'
import { type Change, type Step, step } from '../../core/change.ts'
import { restoredCertificate } from '../certificates/index.ts'
import { replaceCrontab } from '../crontab/index.ts'
import { createdSite, type LoadedWebsite, newRow, ownerFor, SiteSettings } from '../websites/index.ts'
import type { Backups } from './context.ts'
import { BackupDamaged } from './problems.ts'
import type { SiteRecord } from './site-record.ts'
import type { RestoreInput } from './restore-input.ts'

interface Missing {
  readonly input: RestoreInput
  readonly record: SiteRecord
  readonly caller: Caller
  readonly now: Date
  readonly signal: AbortSignal
}

/** A website that is made again before its files are restored. */
type MadeSite = Pick<Change, 'locks' | 'steps' | 'rows'> & {
  readonly site: LoadedWebsite
  /** Once its files are restored. */
  readonly last: readonly Step[]
}

/** Returns what makes a website again that was deleted, with its settings, certificate and crontab, for the owner of its backup. */
export async function missingSite(
  on: Backups,
  { input, record, caller, now, signal }: Missing,
): Promise<MadeSite> {
  const { username, domain, website_id } = input
  const request = { caller, now, signal, id: () => website_id, query: { overwrite: false } }
  const owner = await ownerFor(on.websites, { username }, request)
  const plain: LoadedWebsite = {
    ...newRow({ domain, type: record.type }, owner, request),
    aliases: record.aliases,
    settings: settingsOf(record),
    protectedFolders: record.protected_folders,
    hasAccessRules: false,
  }
  const certified =
    record.certificate === null
      ? undefined
      : restoredCertificate(on.certificates, plain, record.certificate.pem, now)
  const { https_redirect, hsts } = record
  const site =
    certified === undefined
      ? plain
      : { ...certified.site, https_redirect: Number(https_redirect), hsts: Number(hsts) }
  const made = await createdSite(on.websites, site, request, ({ nginx, folders }) => [
    step(folders.make, { username, domain, logs: nginx.logDirectory(domain) }),
    ...(certified?.first ?? []),
  ])
  const crontab = record.crontab === '' ? undefined : await replaceCrontab(on.crontabs, site, record, now)
  return {
    site,
    locks: made.locks,
    steps: made.steps,
    rows: [...made.rows, ...(certified?.rows ?? []), ...(crontab?.rows ?? [])],
    last: crontab?.steps ?? [],
  }
}

function settingsOf({ settings }: SiteRecord): SiteSettings {
  if (!Value.Check(SiteSettings, settings))
    throw BackupDamaged('The settings of the website are not readable')
  return settings
}
