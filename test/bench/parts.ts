import { measureActivity } from './activity.ts'
import { measureAgents } from './agents.ts'
import { measureApplication } from './application/measure.ts'
import { measureArchives } from './archives/measure.ts'
import { measureAreas } from './areas/measure.ts'
import { measureBackups } from './backups/measure.ts'
import { measureCaptures } from './captures.ts'
import { measureChat } from './chat/measure.ts'
import { measureDatabases } from './databases/measure.ts'
import { measureBalancer } from './dns/balancer.ts'
import { measureDns } from './dns/measure.ts'
import { measureDownload } from './download/measure.ts'
import type { Figure } from './figures.ts'
import { measureHttp } from './http/measure.ts'
import { measureIdentity } from './identity.ts'
import { measureLbproxy } from './lbproxy/measure.ts'
import { measureMemory } from './memory.ts'
import { measureMetrics } from './metrics.ts'
import { measureMonitors } from './monitors.ts'
import { measurePages } from './pages/measure.ts'
import { measureSearch } from './search/measure.ts'
import { measureSites } from './sites.ts'
import { measureUpload } from './transfer/measure.ts'
import { measureWork } from './work/measure.ts'

/** One part of the bench. */
export interface BenchPart {
  /** Returns no figures where a program that it needs is missing. */
  readonly measure: (isShort: boolean) => Promise<readonly Figure[]>
  /** What the panel is compared with. */
  readonly against: string
  /** The commands that print the versions of the programs it is compared with. */
  readonly versions?: readonly (readonly [string, ...string[]])[]
}

const itself = 'the panel itself: a bound'

/** The parts of the bench, by the words that name them. */
export const parts: Readonly<Record<string, BenchPart>> = {
  http: { measure: measureHttp, against: 'a bare node:http server with the same answers' },
  memory: { measure: measureMemory, against: itself },
  areas: { measure: measureAreas, against: itself },
  activity: { measure: measureActivity, against: 'the same log with 1,000 entries' },
  identity: { measure: measureIdentity, against: 'the SHA-256 of a token; a page of all of 100 users' },
  metrics: { measure: measureMetrics, against: itself },
  sites: { measure: measureSites, against: 'the first site of the same host' },
  pages: {
    measure: measurePages,
    against: 'nginx and php-fpm with configurations by hand',
    versions: [
      ['nginx', '-v'],
      ['php-fpm8.2', '--version'],
    ],
  },
  application: { measure: measureApplication, against: itself },
  download: { measure: measureDownload, against: 'a stream of node:http' },
  lbproxy: { measure: measureLbproxy, against: 'haproxy -c and its reload', versions: [['haproxy', '-v']] },
  dns: { measure: measureDns, against: 'pdnsutil load-zone', versions: [['pdnsutil', '--version']] },
  databases: {
    measure: measureDatabases,
    against: 'mariadb-dump, mariadb, pg_dump and psql',
    versions: [
      ['mariadb-dump', '--version'],
      ['/usr/lib/postgresql/15/bin/pg_dump', '--version'],
    ],
  },
  dnslb: {
    measure: measureBalancer,
    against: 'dnsdist with a configuration by hand',
    versions: [['dnsdist', '--version']],
  },
  upload: { measure: measureUpload, against: 'a stream of node:http' },
  archives: {
    measure: measureArchives,
    against: 'tar, zip, 7z, du -sb and ls -la',
    versions: [
      ['tar', '--version'],
      ['zip', '--version'],
      ['7z', 'i'],
    ],
  },
  backups: {
    measure: measureBackups,
    against: 'tar and gzip, sha256sum and tar',
    versions: [
      ['tar', '--version'],
      ['gzip', '--version'],
    ],
  },
  search: {
    measure: measureSearch,
    against: 'rg and find',
    versions: [
      ['rg', '--version'],
      ['find', '--version'],
    ],
  },
  work: { measure: measureWork, against: itself },
  chat: { measure: measureChat, against: itself },
  agents: { measure: measureAgents, against: '1.3 times the same request without MCP' },
  captures: { measure: measureCaptures, against: itself },
  monitors: { measure: measureMonitors, against: itself },
}
