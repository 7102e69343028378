import { type Change, change, type Step, step } from '../../core/change.ts'
import type { Caller } from '../../core/caller.ts'
import type { Lock } from '../../core/lock.ts'
import { Forbidden } from '../../core/problem.ts'
import { from } from '../../core/returned.ts'
import { createDatabase } from '../databases/index.ts'
import {
  createdSite,
  type LoadedWebsite,
  newRow,
  newSettings,
  ownerFor,
  SettingInvalid,
} from '../websites/index.ts'
import { entryOf } from './catalog/catalog.ts'
import type { AppEntry } from './catalog/entry.ts'
import { fill } from './catalog/templates.ts'
import { certificateFor } from './certificate.ts'
import { type Applications, work } from './context.ts'
import { InstallInput, InstalledApplication } from './model.ts'
import { addressesOf } from './show.ts'
import { assertRuns, chooseSource } from './source.ts'
import { applications } from './store.ts'

/** Installs an application in a website of its own: all of it, or nothing. */
export const installing = work({
  kind: 'applications.install',
  lane: 'network',
  input: InstallInput,
  reply: InstalledApplication,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: ({ input, caller, now, signal, applications: on }) => {
    if (caller === null) throw Forbidden()
    return installChange(on, input, { caller, now, signal })
  },
})

interface Request {
  readonly caller: Caller
  readonly now: Date
  readonly signal: AbortSignal
}

async function installChange(
  on: Applications,
  input: InstallInput,
  request: Request,
): Promise<Change<InstalledApplication>> {
  const entry = entryOf(input.application)
  const site = await newSite(on, entry, input, request)
  const { domain, username } = site
  await assertRuns(on.host, entry, site.settings.php_version)
  const database = await databaseOf(on, entry, site, { input, now: request.now })
  const files = await filesOf(on, site, { entry, input, database: database?.name, signal: request.signal })
  const served = await createdSite(
    on.websites,
    site,
    { ...request, query: { overwrite: false }, refusal: SettingInvalid },
    ({ folders, nginx }) => [
      step(folders.make, { username, domain, logs: nginx.logDirectory(domain) }),
      files,
      // before visitors come: whoever is first could make themselves its administrator
      ...setUpSteps(on, entry, site, input),
    ],
  )
  const certified = await certificateFor(on, site, { wanted: input.certificate, now: request.now })
  const parts: readonly (Part | undefined)[] = [database, served, certified]
  const installed = installedOf(entry, input, {
    version: from(files, 'version'),
    database: database?.name ?? null,
    isCertified: certified.isCertified,
  })
  return change({
    summary: `Install ${entry.name} on ${domain} for ${username}`,
    locks: parts.flatMap((part) => part?.locks ?? []),
    steps: parts.flatMap((part) => part?.steps ?? []),
    details: certified.details,
    // the website first: the other rows refer to it
    rows: [
      ...(served.rows ?? []),
      ...(database?.rows ?? []),
      ...certified.rows,
      rowOf(installed, site, request.now),
    ],
    reply: installed,
  })
}

/** A part of the installation, in the order in which it is carried out. */
interface Part {
  readonly locks?: readonly Lock[] | undefined
  readonly steps?: readonly Step[] | undefined
}

interface Found {
  readonly version: string | null
  readonly database: string | null
  readonly isCertified: boolean
}

const installedOf = (
  entry: AppEntry,
  { website_id, domain, administrator, password }: InstallInput,
  { version, database, isCertified }: Found,
): InstalledApplication => ({
  website_id,
  application: entry.id,
  domain,
  version,
  ...addressesOf(entry, domain, isCertified),
  administrator: entry.set_up === undefined ? null : (administrator ?? 'admin'),
  password: entry.set_up === undefined ? null : password,
  database,
  has_certificate: isCertified,
})

const rowOf = (
  { website_id, application, version, administrator }: InstalledApplication,
  { user_id }: LoadedWebsite,
  now: Date,
) =>
  applications.insert(
    applications.row({
      ...{ website_id, user_id, application, version, administrator },
      created_at: now.toISOString(),
    }),
  )

interface OfFiles {
  readonly entry: AppEntry
  readonly input: InstallInput
  readonly database: string | undefined
  readonly signal: AbortSignal
}

async function filesOf(
  on: Applications,
  { username, domain, id }: LoadedWebsite,
  { entry, input, database, signal }: OfFiles,
) {
  const { name, omits, moves, version } = entry
  const source = await chooseSource(on.host, entry, signal)
  const filling = fillingOf(input, domain, database)
  const writes = entry.writes.map((file) => ({ ...file, content: fill(file.content, filling) }))
  return step(on.steps.placeFiles, { username, domain, id, name, source, omits, moves, writes, version })
}

async function newSite(
  on: Applications,
  { type }: AppEntry,
  { domain, username, php_version, website_id }: InstallInput,
  request: Request,
): Promise<LoadedWebsite> {
  const owner = await ownerFor(on.websites, { ...(username !== undefined && { username }) }, request)
  const draft = { type, ...(php_version !== undefined && { php_version }) }
  return {
    ...newRow({ domain, type }, owner, { ...request, id: () => website_id }),
    aliases: [],
    settings: await newSettings(on.websites, draft, request.caller),
    protectedFolders: [],
    hasAccessRules: await on.websites.queries.hasAccessRules(owner.userId),
  }
}

interface OfInput {
  readonly input: InstallInput
  readonly now: Date
}

/** Names are unique, as the ids of websites are never used again. */
async function databaseOf(
  on: Applications,
  { database: prefix }: AppEntry,
  site: LoadedWebsite,
  { input: { database_id, database_password }, now }: OfInput,
) {
  if (prefix === undefined) return undefined
  const name = `${prefix}${site.id}`
  const draft = { engine: 'mariadb', name, username: name, password: database_password } as const
  const { locks, steps, rows, reply } = await createDatabase(on.databases, site, draft, {
    now,
    id: () => database_id,
  })
  if (typeof reply === 'function') throw new Error('the reply of a new database is known')
  return { locks, steps, rows, name: reply.name }
}

const fillingOf = (
  { title, secrets, database_password }: InstallInput,
  domain: string,
  name: string | undefined,
) => ({
  domain,
  title: title ?? domain,
  ...(name !== undefined && { database: name, database_user: name, database_password }),
  secrets: Object.fromEntries(secrets.map((each) => [each.name, each.value])),
})

function setUpSteps(
  on: Applications,
  { set_up: script, name }: AppEntry,
  { username, domain, settings }: LoadedWebsite,
  { title, administrator, email, password }: InstallInput,
): readonly Step[] {
  if (script === undefined || email === undefined || settings.php_version === null) return []
  const admin = { title: title ?? domain, admin: administrator ?? 'admin', email, password }
  return [step(on.steps.setUp, { username, domain, name, script, version: settings.php_version, ...admin })]
}
