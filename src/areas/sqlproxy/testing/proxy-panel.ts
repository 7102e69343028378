import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { openTestPanel, type TestPanel } from '../../../../test/support/panel.ts'
import { scriptPackages, scriptSystemd } from '../../../host/testing/scripted-host.ts'
import { on, type Script } from '../../../host/testing/scripted-run.ts'
import { type StandIn, startStandIn } from '../../../tools/proxysql/testing/stand-in.ts'

/** A panel over a stand-in for ProxySQL, on a host with one network. */
export interface ProxyPanel {
  readonly panel: TestPanel
  readonly standIn: StandIn
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
  readonly installed: Map<string, string>
  /** Answers commands before all others. */
  fail: Script | undefined
  close(): Promise<void>
}

const addresses = [
  { ifname: 'lo', addr_info: [{ family: 'inet', local: '127.0.0.1', prefixlen: 8 }] },
  { ifname: 'eth0', addr_info: [{ family: 'inet', local: '192.0.2.11', prefixlen: 24 }] },
]

/** Opens a panel whose ProxySQL is installed by the packages, or not yet. */
export async function openProxyPanel({ isInstalled = true } = {}): Promise<ProxyPanel> {
  const folder = mkdtempSync('/tmp/hostreeve-proxysql-')
  const adminSocket = `${folder}/admin.sock`
  const standIn = await startStandIn({ folder, adminSocket })
  const services = new Map([
    ['proxysql', { isActive: isInstalled, isEnabled: isInstalled }],
    ['keepalived', { isActive: false, isEnabled: false }],
  ])
  const installed = new Map(isInstalled ? [['proxysql', '2.5.5']] : [])
  const panel = await openTestPanel({
    proxysql: { at: [{ socketPath: adminSocket }] },
    scripts: [
      (...asked) => proxy.fail?.(...asked),
      scriptPackages(installed, { proxysql: '2.5.5', keepalived: '1:2.2.7-1' }),
      scriptSystemd(services),
      on('ip -json -4 address show', { stdout: JSON.stringify(addresses) }),
      ([program]) => (program === 'keepalived' ? {} : undefined),
    ],
  })
  mkdirSync(`${panel.root}/var/lib/proxysql`, { recursive: true })
  mkdirSync(`${panel.root}/etc/keepalived`, { recursive: true })
  mkdirSync(`${panel.root}/root`, { recursive: true })
  await panel.start()
  const proxy: ProxyPanel = {
    ...{ panel, standIn, services, installed, fail: undefined },
    close: async () => {
      await panel.close()
      await standIn.stop().catch(() => {}) // a test may have stopped it
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return proxy
}
