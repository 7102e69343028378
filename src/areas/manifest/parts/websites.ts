import { isSame } from '../../../core/steps.ts'
import {
  changedSettings,
  editWebsite,
  emptySite,
  HstsWithoutRedirect,
  type LoadedWebsite,
  newRow,
  newSettings,
  ownerFor,
  type SettingsEdit,
} from '../../websites/index.ts'
import type { Manifests } from '../context.ts'
import type { ManifestWebsite } from '../manifest-model.ts'
import { type Applying, type Part, PartDraft } from '../part.ts'
import { ManifestInvalid } from '../problems.ts'
import { within } from '../within.ts'

const request = { query: { overwrite: false } }

/** Decides on the websites of a manifest. */
export async function decideWebsites(on: Manifests, applying: Applying): Promise<Part> {
  const part = new PartDraft()
  const wanted = applying.input.manifest.websites ?? []
  if (wanted.length === 0) return part
  const present = new Map((await on.websites.queries.all()).map((site) => [site.domain, site]))
  for (const [index, website] of wanted.entries())
    await within(`websites[${index}]`, async () => {
      const site = present.get(website.domain)
      if (site === undefined) await create(part, website, index, applying)
      else await change(part, { site, website, index }, applying)
    })
  return part
}

const partsOf = ({
  domain: _domain,
  username: _owner,
  type: _type,
  aliases,
  is_suspended,
  https_redirect,
  hsts,
  ...settings
}: ManifestWebsite) => ({ own: { aliases, is_suspended, https_redirect, hsts }, settings })

async function create(part: PartDraft, website: ManifestWebsite, index: number, applying: Applying) {
  const { planned, input, caller } = applying
  const { domain, username, type } = website
  const { own, settings: given } = partsOf(website)
  if (own.hsts === true && own.https_redirect !== true)
    throw HstsWithoutRedirect('hsts: needs https_redirect: browsers ignore it over http')
  const on = planned.websites
  const owner = await ownerFor(on, { username }, { caller })
  const { php_version, upstream } = given
  const draft = { type, ...(php_version && { php_version }), ...(upstream !== undefined && { upstream }) }
  const settings = await changedSettings(
    on,
    { type, settings: await newSettings(on, draft, caller) },
    given,
    caller,
  )
  const site: LoadedWebsite = {
    ...newRow({ domain, type }, owner, { ...applying, id: () => input.ids.websites[index]! }),
    is_suspended: Number(own.is_suspended ?? false),
    https_redirect: Number(own.https_redirect ?? false),
    hsts: Number(own.hsts ?? false),
    aliases: own.aliases ?? [],
    settings,
    protectedFolders: [],
    hasAccessRules: await on.queries.hasAccessRules(owner.userId),
  }
  const served = await emptySite(on, site, { ...applying, ...request })
  planned.sites.set(domain, site)
  const { locks = [], steps = [], rows = [] } = served
  part.add(
    {
      ...{ action: 'create', object: `website ${domain}`, path: `websites[${index}]` },
      details: [`${type}, owned by ${username}`],
    },
    { summary: `Create website ${domain}`, locks, steps, rows, jobs: [], reply: null },
  )
}

interface Changing {
  readonly site: LoadedWebsite
  readonly website: ManifestWebsite
  readonly index: number
}

async function change(part: PartDraft, { site, website, index }: Changing, applying: Applying) {
  const { planned, caller } = applying
  const { username, type, domain } = website
  if (username !== site.username)
    throw ManifestInvalid(
      `username: ${domain} belongs to ${site.username}: a manifest does not move websites; change the owner under Websites`,
    )
  if (type !== site.type)
    throw ManifestInvalid(`type: ${domain} is of the type ${site.type}, which does not change`)
  const { own, settings: given } = partsOf(website)
  const asked = changedFields(given, given, site.settings) // what is so already is not looked up again
  const next = await changedSettings(planned.websites, site, asked, caller)
  const settings = changedFields(asked, next, site.settings)
  const edit = {
    ...settings,
    ...(own.aliases !== undefined &&
      !isSame(own.aliases.toSorted(), [...site.aliases].toSorted()) && { aliases: own.aliases }),
    ...differing(own, site),
  }
  const details = Object.keys(edit)
  if (details.length === 0) return
  const changed = await editWebsite(planned.websites, site, edit, {
    ...{ ...applying, ...request },
    id: () => site.id,
  })
  part.add({ action: 'change', object: `website ${domain}`, path: `websites[${index}]`, details }, changed)
}

/** Settings are compared in the form in which they are stored. */
function changedFields(
  given: SettingsEdit,
  next: SettingsEdit | LoadedWebsite['settings'],
  was: LoadedWebsite['settings'],
): SettingsEdit {
  return Object.fromEntries(
    Object.entries(given).filter(([name]) => !isSame(Reflect.get(next, name), Reflect.get(was, name))),
  )
}

function differing(
  own: ReturnType<typeof partsOf>['own'],
  site: LoadedWebsite,
): Partial<Record<'is_suspended' | 'https_redirect' | 'hsts', boolean>> {
  const { is_suspended, https_redirect, hsts } = own
  return {
    ...(is_suspended !== undefined && is_suspended !== (site.is_suspended === 1) && { is_suspended }),
    ...(https_redirect !== undefined && https_redirect !== (site.https_redirect === 1) && { https_redirect }),
    ...(hsts !== undefined && hsts !== (site.hsts === 1) && { hsts }),
  }
}
