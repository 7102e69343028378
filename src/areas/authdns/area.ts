import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import { contribution } from '../../core/point.ts'
import { certificates, dnsChallenges } from '../certificates/index.ts'
import { plugins } from '../plugins/index.ts'
import { naturalKeys, replicationServers } from '../replication-servers/index.ts'
import { siteZones, websites } from '../websites/index.ts'
import type { Deps } from '../deps.ts'
import { openChallenges } from './challenges.ts'
import { type Context, openAuthdns } from './context.ts'
import * as endpoints from './endpoints/index.ts'
import { installing } from './install.ts'
import { createDnsTemplates } from './migrations/202611280340-dns-templates.ts'
import { createRulesAndReplication } from './migrations/202611281200-authdns-rules-and-replication.ts'
import { createDnsSync } from './migrations/202611281310-authdns-sync.ts'
import { createDnsRollovers } from './migrations/202611291700-dns-rollovers.ts'
import { createDnsWithdrawals } from './migrations/202611291930-dns-withdrawals.ts'
import * as model from './model.ts'
import { templateQueries } from './store.ts'
import { openSiteZones } from './site-zones.ts'

export const authdns = area({
  name: 'authdns',
  title: 'DNS',
  base: '/authdns',
  guard: superuser,
  plugin: 'authdns',
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: [installing],
  steps: ({ authdns }: Context) => [authdns.pushStep],
  migrations: [
    createDnsTemplates,
    createRulesAndReplication,
    createDnsSync,
    createDnsRollovers,
    createDnsWithdrawals,
  ],
  uses: [certificates, plugins, replicationServers, websites],
  contributes: ({ authdns }: Context) => [
    contribution(dnsChallenges, openChallenges(authdns)),
    contribution(siteZones, openSiteZones(authdns)),
    contribution(naturalKeys, {
      noun: 'template',
      paths: ['/api/authdns/templates/{id}'],
      nameOf: async (id) => (await templateQueries(authdns.store).find({ id }))?.name,
      idOf: async (name) => (await templateQueries(authdns.store).find({ name }))?.id,
    }),
  ],
  menu: { group: 'Hosting', path: '/dns', order: 55 },
  needs: ['powerdns'],
  open: (deps: Deps): Context => ({ authdns: openAuthdns(deps) }),
})
