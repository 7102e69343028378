import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { openTestPanel, type TestPanel } from '../../../../test/support/panel.ts'
import { scriptPackages, scriptSystemd } from '../../../host/testing/scripted-host.ts'
import type { Script } from '../../../host/testing/scripted-run.ts'
import { startOpensearch, type StandInOpensearch } from '../../../tools/opensearch/testing/stand-in.ts'
import { standInRsyslog, type StandInRsyslog } from '../../../tools/rsyslog/testing/stand-in.ts'

/** A panel whose log store is a stand-in. */
export interface LogPanel {
  readonly panel: TestPanel
  readonly opensearch: StandInOpensearch
  readonly rsyslog: StandInRsyslog
  /** The installed packages with their versions. */
  readonly packages: Map<string, string>
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
  /** The services that do not start; `apt` removes nothing. */
  readonly broken: Set<string>
  /** The answer of the vendor to the request for its key. */
  readonly vendor: { key: string }
  close(): Promise<void>
}

const versions = {
  opensearch: '2.19.6',
  rsyslog: '8.2302.0-1',
  'rsyslog-elasticsearch': '8.2302.0-1',
  'rsyslog-gnutls': '8.2302.0-1',
}

interface LogPanelOptions {
  /** Whether OpenSearch is installed, and what rsyslog needs for it. */
  readonly isInstalled: boolean
  /** The setting `logstore_url` for a stand-in at a port. */
  readonly nodesAt?: (port: number) => string
}

/** Opens it without the programs, or with those that are installed. */
export async function openLogPanel({ isInstalled, nodesAt }: LogPanelOptions): Promise<LogPanel> {
  const opensearch = await startOpensearch()
  const rsyslog = standInRsyslog()
  const packages = new Map<string, string>(isInstalled ? Object.entries(versions) : [])
  const running = { isActive: true, isEnabled: true }
  const services = new Map([
    ['opensearch', { ...running }],
    ['rsyslog', { ...running }],
  ])
  const broken = new Set<string>()
  const failing: Script = (argv) =>
    argv.includes('restart') && [...broken].some((name) => argv.includes(`${name}.service`))
      ? { code: 1, stderr: 'Job failed.' }
      : undefined
  const stuck: Script = (argv) =>
    broken.has('apt') && argv[0] === 'apt-get' && argv.includes('remove')
      ? { code: 100, stderr: 'E: dpkg is stuck' }
      : undefined
  const vendor = { key: '-----BEGIN PGP PUBLIC KEY BLOCK-----\n' }
  const server = createServer((_request, response) => void response.end(vendor.key)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const panel = await openTestPanel({
    opensearch: { port: nodesAt === undefined ? opensearch.port : 1 },
    rsyslog: rsyslog.options,
    environment: {
      ...(nodesAt !== undefined && { HOSTREEVE_LOGSTORE_URL: nodesAt(opensearch.port) }),
      HOSTREEVE_OPENSEARCH_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    },
    scripts: [failing, stuck, rsyslog.script, scriptPackages(packages, versions), scriptSystemd(services)],
  })
  for (const path of ['rsyslog.d', 'apt/sources.list.d', 'opensearch/jvm.options.d'])
    mkdirSync(`${panel.root}/etc/${path}`, { recursive: true })
  await panel.start()
  const close = async () => {
    await panel.close()
    server.closeAllConnections()
    server.close()
    await opensearch.close()
  }
  return { panel, opensearch, rsyslog, packages, services, broken, vendor, close }
}
