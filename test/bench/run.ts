import { writeFileSync } from 'node:fs'
import { measureActivity } from './activity.ts'
import { measureAgents } from './agents.ts'
import { measureAreas } from './areas/measure.ts'
import { measureArchives } from './archives/measure.ts'
import { measureBackups } from './backups/measure.ts'
import { measureApplication } from './application/measure.ts'
import { measureCaptures } from './captures.ts'
import { measureChat } from './chat/measure.ts'
import { measureDatabases } from './databases/measure.ts'
import { type Figure, holds, table } from './figures.ts'
import { measureHttp } from './http/measure.ts'
import { measureBalancer } from './dns/balancer.ts'
import { measureDns } from './dns/measure.ts'
import { measureDownload } from './download/measure.ts'
import { measureMemory } from './memory.ts'
import { measureIdentity } from './identity.ts'
import { measureLbproxy } from './lbproxy/measure.ts'
import { measureMetrics } from './metrics.ts'
import { measureMonitors } from './monitors.ts'
import { measureSearch } from './search/measure.ts'
import { measureSites } from './sites.ts'
import { measureWork } from './work/measure.ts'
import { measureUpload } from './transfer/measure.ts'
import { reportFailures } from '../runner/closing.ts'

// npm run bench [-- --short] [--json=FILE] [WORD ...]: measures all parts, or those that a word names.
const parts: Readonly<Record<string, (isShort: boolean) => Promise<readonly Figure[]>>> = {
  http: measureHttp,
  memory: measureMemory,
  areas: measureAreas,
  activity: measureActivity,
  identity: measureIdentity,
  metrics: measureMetrics,
  sites: measureSites,
  application: measureApplication,
  download: measureDownload,
  lbproxy: measureLbproxy,
  dns: measureDns,
  databases: measureDatabases,
  dnslb: measureBalancer,
  upload: measureUpload,
  archives: measureArchives,
  backups: measureBackups,
  search: measureSearch,
  work: measureWork,
  chat: measureChat,
  agents: measureAgents,
  captures: measureCaptures,
  monitors: measureMonitors,
}

const names = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const isShort = process.argv.includes('--short')
const jsonFile = process.argv.find((word) => word.startsWith('--json='))?.slice('--json='.length)

const figures: Figure[] = []
for (const [name, measure] of Object.entries(parts)) {
  if (names.length > 0 && !names.includes(name)) continue
  process.stderr.write(`Measuring ${name} …\n`)
  figures.push(...(await measure(isShort)))
}
process.stdout.write(`${table(figures, isShort)}\n`)
const json = JSON.stringify(
  { isShort, node: process.version, at: new Date().toISOString(), figures },
  null,
  2,
)
if (jsonFile) writeFileSync(jsonFile, `${json}\n`)
else process.stdout.write(`${json}\n`)
const missed = figures.filter((figure) => !holds(figure, isShort))
reportFailures(missed.length > 0 ? [table(missed, isShort)] : [])
if (missed.length > 0)
  process.stderr.write(`${missed.length} of ${figures.length} figures miss their bound\n`)
process.exit(missed.length === 0 && figures.length > 0 ? 0 : 1)
