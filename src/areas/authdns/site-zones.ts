import { Forbidden, Problem } from '../../core/problem.ts'
import { type NewZone, type PartWork, type SiteZones, ZoneRefused } from '../websites/index.ts'
import type { Authdns } from './context.ts'
import type { TemplateDraft } from './model.ts'
import { zoneName } from './names.ts'
import { templateQueries, templates } from './store.ts'
import { filledSets, placeholdersOf } from './templates.ts'
import { creation, newSets, ownKind } from './zones.ts'

type SiteTemplate = Pick<TemplateDraft, 'name' | 'records'>

/** What a website with mail needs, unless a template of this name is stored. */
const standard: SiteTemplate = {
  name: 'Website with mail',
  records: [
    { name: '@', type: 'A', content: '{{ip}}' },
    { name: '@', type: 'AAAA', content: '{{ipv6}}' },
    { name: 'ns1', type: 'A', content: '{{ip}}' },
    { name: 'ns1', type: 'AAAA', content: '{{ipv6}}' },
    { name: 'www', type: 'CNAME', content: '{{zone}}.' },
    { name: '@', type: 'MX', content: '10 mail.{{zone}}.' },
    { name: 'mail', type: 'A', content: '{{ip}}' },
    { name: 'mail', type: 'AAAA', content: '{{ipv6}}' },
    { name: '@', type: 'TXT', content: 'v=spf1 mx -all' },
    { name: '_dmarc', type: 'TXT', content: 'v=DMARC1; p=reject' },
    { name: '@', type: 'CAA', content: '0 issue "letsencrypt.org"' },
  ],
}

/** The placeholders that the addresses of the host fill. */
const own: ReadonlySet<string> = new Set(['ip', 'ipv6'])

/** Gives new websites zones of PowerDNS. */
export const openSiteZones = (on: Authdns): SiteZones => ({
  templates: async ({ user }) => {
    if (!user.isAdmin || !(await isServing(on))) return []
    const all = await offered(on)
    return all
      .filter(({ records }) => placeholdersOf(records).every((name) => own.has(name)))
      .map(({ name }) => name)
  },
  created: (zone) =>
    created(on, zone).catch((error: unknown) => {
      if (!(error instanceof Problem) || error.kind.status !== 400 || error.kind === ZoneRefused) throw error
      throw ZoneRefused(`dns_template: ${error.message}`, { cause: error })
    }),
})

const isServing = async ({ isEnabled, tool }: Authdns): Promise<boolean> =>
  isEnabled() && (await tool.readApiSettings()) !== undefined

/** The stored templates, after the standard one. */
async function offered({ store, hasOtherAuthority }: Authdns): Promise<readonly SiteTemplate[]> {
  const stored = (await templateQueries(store).all()).map((row) => templates.show(row))
  if (stored.some(({ name }) => name === standard.name)) return stored
  // a CAA record of Let's Encrypt would forbid the authority of this panel
  const records = standard.records.filter(({ type }) => type !== 'CAA' || !hasOtherAuthority)
  return [{ ...standard, records }, ...stored]
}

async function created(
  on: Authdns,
  { domain, template: typed, caller, ipv4, ipv6 }: NewZone,
): Promise<PartWork> {
  if (!caller.user.isAdmin) throw Forbidden('dns_template: only a superuser may create a DNS zone')
  if (!(await isServing(on)))
    throw ZoneRefused('dns_template: PowerDNS is not set up on this host, or its plugin is disabled')
  const template = (await offered(on)).find(({ name }) => name === typed)
  if (template === undefined) throw ZoneRefused(`dns_template: there is no template ${typed}`)
  assertFillable(template)
  const zone = zoneName(domain.replace(/^www\./, ''), 'domain')
  await assertFree(on, zone)
  const values: Readonly<Record<string, string>> = {
    ...(ipv4[0] && { ip: ipv4[0] }),
    ...(ipv6[0] && { ipv6: ipv6[0] }),
  }
  const records = template.records.filter((record) =>
    placeholdersOf([record]).every((name) => name in values),
  )
  const sets = newSets(zone, [], filledSets(records, { zone, values }))
  const { locks, steps } = creation(on, { name: zone, kind: await ownKind(on), masters: [], sets })
  return { locks, steps, details: [`The registrar of ${zone} has to name this server for it`] }
}

function assertFillable({ name, records }: SiteTemplate): void {
  const other = placeholdersOf(records).find((each) => !own.has(each))
  if (other !== undefined)
    throw ZoneRefused(
      `dns_template: the template ${name} needs a value for {{${other}}}: create the zone on its own and apply it there`,
    )
}

/** A zone within another one of this server would hide a part of that. */
async function assertFree({ tool }: Authdns, zone: string): Promise<void> {
  const labels = zone.split('.')
  for (let at = 0; at < labels.length; at += 1) {
    const found = await tool.readZoneFacts(labels.slice(at).join('.'))
    if (found === undefined) continue
    throw ZoneRefused(
      at === 0
        ? `dns_template: PowerDNS has the zone ${zone}: leave the template out, or apply it to that zone`
        : `dns_template: PowerDNS has the zone ${found.name}, which contains ${zone}: add records there instead`,
    )
  }
}
