import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import { serviceOf, serviceStep } from '../../../host/apply/steps.ts'
import { type Host, openHost } from '../../../host/index.ts'
import { scriptPackages, scriptSystemd } from '../../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../../host/testing/scripted-run.ts'
import { childIn, renderTunnel, tunnelPath } from '../configuration.ts'
import { sampleTunnel } from '../testing/sample-tunnel.ts'
import { scriptCharon, type StandInCharon, standInCharon } from '../testing/stand-in.ts'
import { negotiate } from './negotiate.ts'
import { forwardingPath, setForwarding } from './set-forwarding.ts'
import { writeTunnel } from './write-tunnel.ts'

interface Machine {
  readonly root: string
  readonly host: Host
  readonly charon: StandInCharon
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
}

async function machineOf(root: string): Promise<Machine> {
  const charon = standInCharon()
  const services = new Map([['strongswan', { isActive: true, isEnabled: true }]])
  const packages = scriptPackages(new Map([['charon-systemd', '5.9.8-5+deb12u1']]))
  const { run } = scriptedRun(
    scriptCharon(charon, () => root),
    packages,
    scriptSystemd(services),
  )
  const host = openHost({ root, run })
  await host.files.makeDirectory('/run/systemd/system')
  return { root, host, charon, services }
}

const skip = process.getuid?.() !== 0 && 'only root can give files to root'
const path = tunnelPath(7)
const former = { ...sampleTunnel, generation: 'ffffffff', secret: 'another-secret' }
const put = ({ root }: Machine, file: string, text: string) => {
  mkdirSync(dirname(root + file), { recursive: true })
  writeFileSync(root + file, text)
}
const textAt = ({ root }: Machine, file: string) =>
  existsSync(root + file) ? readFileSync(root + file, 'utf8') : null
const arrangeFormer = async (machine: Machine) => {
  put(machine, path, renderTunnel(former))
  await machine.host.run(['swanctl', '--load-all', '--clear', '--noprompt'])
}
const doored = ({ host }: Machine, door: <Value extends object>(value: Value) => Value) => ({
  files: door(host.files),
  run: host.run,
  services: host.services,
  packages: host.packages,
})

proveStep<Machine>('strongswan.write-tunnel', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: (machine, door) => writeTunnel({ ...doored(machine, door), run: door(machine.host.run) }),
  look: (machine) => [textAt(machine, path), childIn(machine.charon.loaded.get('hostreeve-7') ?? '') ?? null],
  skip,
  cases: {
    'a new tunnel': {
      args: { id: 7, tunnel: sampleTunnel },
      wanted: [renderTunnel(sampleTunnel), 'hostreeve-7-0a1b2c3d'],
      handEdit: (machine) => put(machine, path, 'connections { }\n'),
    },
    'another secret': {
      args: { id: 7, tunnel: sampleTunnel },
      arrange: arrangeFormer,
      wanted: [renderTunnel(sampleTunnel), 'hostreeve-7-0a1b2c3d'],
    },
    'none any more': { args: { id: 7, tunnel: null }, arrange: arrangeFormer, wanted: [null, null] },
  },
})

const recorded = (was: number) =>
  `# Written by Hostreeve for its IPsec tunnels. Before them it was ${was}.\nnet.ipv4.ip_forward = 1\n`

proveStep<Machine>('strongswan.set-forwarding', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: (machine, door) => setForwarding({ files: door(machine.host.files), run: door(machine.host.run) }),
  look: (machine) => [textAt(machine, forwardingPath), machine.charon.forwards],
  skip,
  withoutHandEdit: 'the file belongs to the panel',
  cases: {
    'the first tunnel': { args: { isOn: true }, wanted: [recorded(0), '1'] },
    'a host that forwards already': {
      args: { isOn: true },
      arrange: ({ charon }) => void (charon.forwards = '1'),
      wanted: [recorded(1), '1'],
    },
    'the last tunnel': {
      args: { isOn: false },
      arrange: (machine) => {
        machine.charon.forwards = '1'
        put(machine, forwardingPath, recorded(0))
      },
      wanted: [null, '0'],
    },
    'the last tunnel of a host that forwarded before': {
      args: { isOn: false },
      arrange: (machine) => {
        machine.charon.forwards = '1'
        put(machine, forwardingPath, recorded(1))
      },
      wanted: [null, '1'],
    },
    'the last tunnel of a host whose mesh VPN needs it since': {
      args: { isOn: false },
      arrange: (machine) => {
        machine.charon.forwards = '1'
        put(machine, forwardingPath, recorded(0))
        put(machine, '/etc/sysctl.d/90-mesh.conf', 'net.ipv4.ip_forward = 1\n')
      },
      wanted: [null, '1'],
    },
    'the last tunnel of a host that runs containers since': {
      args: { isOn: false },
      arrange: (machine) => {
        machine.charon.forwards = '1'
        machine.charon.bridges.push({}, { ifname: 'docker0' })
        put(machine, forwardingPath, recorded(0))
      },
      wanted: [null, '1'],
    },
  },
})

proveStep<Machine>('strongswan.negotiate', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: (machine, door) => negotiate({ ...doored(machine, door), run: door(machine.host.run) }),
  look: ({ charon }) => [...charon.up],
  skip,
  withoutHandEdit: 'the step is final',
  cases: {
    'a tunnel that is down': {
      args: { id: 7, title: 'office' },
      arrange: async (machine) => {
        await arrangeFormer(machine)
        machine.charon.failure = ''
      },
      wanted: ['hostreeve-7'],
    },
  },
})

proveStep<Machine>('strongswan.switch-program', {
  machine: async (t) => {
    const machine = await machineOf(scratchRoot(t))
    machine.services.set('strongswan', { isActive: false, isEnabled: false })
    return machine
  },
  open: ({ host }, door) =>
    serviceStep(serviceOf(door(host.services), 'strongswan'), {
      name: 'strongswan.switch-program',
      title: 'strongSwan',
      reloads: 'strongswan',
    }),
  look: ({ services }) => services.get('strongswan'),
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: {
    start: { args: { verb: 'start' }, wanted: { isActive: true, isEnabled: false } },
    enable: { args: { verb: 'enable' }, wanted: { isActive: false, isEnabled: true } },
  },
})
