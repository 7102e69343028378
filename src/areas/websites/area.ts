import { area } from '../../core/area.ts'
import { permission } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { oneOf } from '../../core/tool.ts'
import type { Deps } from '../deps.ts'
import { dashboard } from '../dashboard/index.ts'
import { firewall, openPorts } from '../firewall/index.ts'
import { licence } from '../licence/index.ts'
import { drivenServices, services } from '../services/index.ts'
import { naturalKeys, replicationServers } from '../replication-servers/index.ts'
import { rewrittenFiles, system } from '../system/index.ts'
import { belongings, ownedSites, users } from '../users/index.ts'
import { servedSites, webserver } from '../webserver/index.ts'
import { webappsOf, websitesOfDeleted } from './belongings.ts'
import { cloning } from './clone.ts'
import { type Context, openWebsites } from './context.ts'
import { onDashboard } from './dashboard.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'
import { PhpLimits, ProxySettings, WebsiteType } from './settings-model.ts'
import { siteParts } from './parts.ts'
import { ownerLimits } from './owner-limits.ts'
import { phpRules } from './php-site.ts'
import { portsOfSites } from './ports.ts'
import { pruneDeletedLogs } from './prune.ts'
import { rewriteSites, rewriteSitesOf } from './rewrite.ts'
import { sitesToServe } from './served-sites.ts'
import { siteZones } from './zones.ts'
import { createWebsites } from './migrations/202611211300-websites.ts'
import { createWebsiteSettings } from './migrations/202611231740-website-settings.ts'
import { createWebsiteCreation } from './migrations/202611231790-website-creation.ts'
import { indexSuspendedWebsites } from './migrations/202611230301-websites-by-state.ts'
import { createWebsiteAccess } from './migrations/202611281400-website-access.ts'
import { addWebsiteTls } from './migrations/202611231730-website-tls.ts'

export const websites = area({
  name: 'websites',
  title: 'Websites',
  base: '/websites',
  bases: ['/settings'],
  guard: permission('websites_management'),
  errors: 'coded',
  endpoints,
  schemas: { ...model, PhpLimits, ProxySettings, WebsiteType },
  jobs: [pruneDeletedLogs, cloning],
  migrations: [
    createWebsites,
    indexSuspendedWebsites,
    addWebsiteTls,
    createWebsiteSettings,
    createWebsiteCreation,
    createWebsiteAccess,
  ],
  uses: [users, licence, services, system, dashboard, firewall, replicationServers, webserver],
  points: [siteParts, phpRules, ownerLimits, siteZones],
  contributes: ({ websites }: Context) => [
    contribution(naturalKeys, {
      noun: 'website',
      paths: ['/api/websites/{id}'],
      nameOf: async (id) => (await websites.queries.find(id))?.domain,
      idOf: async (domain) => (await websites.queries.named(domain))?.id,
    }),
    contribution(rewrittenFiles, (overwrite) => rewriteSites(websites, overwrite)),
    contribution(belongings, (deletion) => websitesOfDeleted(websites, deletion)),
    contribution(ownedSites, {
      list: ({ id }) => webappsOf(websites, id),
      render: ({ id }) => rewriteSitesOf(websites, id),
    }),
    contribution(servedSites, () => sitesToServe(websites)),
    contribution(drivenServices, { service: 'nginx', title: 'Websites', path: '/websites' }),
    contribution(openPorts, () => portsOfSites(websites)),
    ...onDashboard(websites),
  ],
  steps: ({ websites: { folders } }: Context) => [
    folders.make,
    folders.makePhp,
    folders.writePlaceholder,
    folders.unlinkLogs,
    folders.remove,
    folders.move,
    folders.copy,
    folders.renewPages,
  ],
  menu: { group: 'Hosting', path: '/websites', order: 10 },
  needs: [oneOf('nginx', 'apache'), 'bubblewrap'],
  open: (deps: Deps): Context => ({ websites: openWebsites(deps) }),
})
