import type { Caller } from '../../core/caller.ts'
import { point } from '../../core/point.ts'
import type { Websites } from './context.ts'
import { recordsOf } from './dns.ts'
import type { WebsiteDraft } from './model.ts'
import type { PartWork } from './parts.ts'
import { ZoneRefused } from './problems.ts'

/** The DNS zone that a new website is to get. */
export interface NewZone {
  readonly domain: string
  /** The name of the template. */
  readonly template: string
  readonly caller: Caller
  /** The addresses at which this host serves the website. */
  readonly ipv4: readonly string[]
  readonly ipv6: readonly string[]
}

/** The DNS server of this host, as far as new websites get zones from it. */
export interface SiteZones {
  /** The names of the templates that the caller may choose; none while no zones are kept here. */
  templates(caller: Caller): Promise<readonly string[]>
  /** Creates the zone; what the caller can mend is `ZoneRefused`. */
  created(zone: NewZone): Promise<PartWork>
}

/** Gives new websites a DNS zone. */
export const siteZones = point<SiteZones>('zones of new websites')

/** Lists the templates of which a caller may choose one for the zone of a new website. */
export async function listTemplates(
  { partsOf }: Pick<Websites, 'partsOf'>,
  caller: Caller,
): Promise<{ templates: string[] }> {
  const names = await Promise.all(partsOf(siteZones).map((part) => part.templates(caller)))
  return { templates: names.flat() }
}

/** Returns what creates the zone of a new website, if one was asked for. */
export async function zoneWork(
  { partsOf, addresses }: Pick<Websites, 'partsOf' | 'addresses'>,
  { domain, dns_template: template }: Pick<WebsiteDraft, 'domain' | 'dns_template'>,
  caller: Caller,
): Promise<PartWork> {
  // a change that another panel mirrors here has created the zone there
  if (template === undefined || caller.isMirrored === true) return {}
  const [zones] = partsOf(siteZones)
  if (zones === undefined) throw ZoneRefused('dns_template: this panel keeps no DNS zones')
  const { ipv4, ipv6 } = recordsOf(addresses.own())
  return zones.created({ domain, template, caller, ipv4, ipv6 })
}
