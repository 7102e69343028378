import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { readConfiguration, renderConfiguration, type VirtualAddress } from './configuration.ts'
import { configurationPath, writeConfiguration } from './write-configuration.ts'

const virtual: VirtualAddress = {
  ...{ address: '192.0.2.100/24', interface: 'eth0', source: '192.0.2.11', priority: 120 },
  ...{ state: 'BACKUP', routerId: 100, peer: '192.0.2.12', password: 'secret12' },
}

test('reads what it renders', () => {
  assert.deepEqual(readConfiguration(renderConfiguration(virtual)), virtual)
  const alone = { ...virtual, peer: null, password: '' }
  const { peer, password } = readConfiguration(renderConfiguration(alone))
  assert.deepEqual([peer, password], [null, ''])
})

test('refuses a value that would end the line', () => {
  for (const password of ['a b', 'a\n}', '{', '#', '"'])
    assert.throws(() => renderConfiguration({ ...virtual, password }), /unexpected form/)
})

interface Machine {
  readonly root: string
  readonly host: Host
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
}

async function machineOf(root: string): Promise<Machine> {
  const services = new Map([['keepalived', { isActive: false, isEnabled: false }]])
  const checker = ([program]: readonly string[]) => (program === 'keepalived' ? {} : undefined)
  const host = openHost({ root, run: scriptedRun(checker, scriptSystemd(services)).run })
  await host.files.makeDirectory('/run/systemd/system')
  await host.files.makeDirectory('/etc/keepalived')
  return { root, host, services }
}

const contentIn = ({ root }: Machine) =>
  existsSync(root + configurationPath) ? readFileSync(root + configurationPath, 'utf8') : null

proveStep<Machine>('keepalived.write-configuration', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) => writeConfiguration({ files: door(host.files), run: host.run }),
  look: contentIn,
  cases: {
    written: {
      args: { virtual },
      wanted: renderConfiguration(virtual),
      handEdit: ({ root }) => writeFileSync(root + configurationPath, 'vrrp_instance other {}\n'),
    },
    removed: {
      args: { virtual: null },
      arrange: ({ root }) => writeFileSync(root + configurationPath, renderConfiguration(virtual)),
      wanted: null,
      handEdit: ({ root }) => writeFileSync(root + configurationPath, 'vrrp_instance other {}\n'),
    },
  },
})

proveStep<Machine>('keepalived.switch-program', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) =>
    serviceStep(serviceOf(door(host.services), 'keepalived'), {
      name: 'keepalived.switch-program',
      title: 'keepalived',
      reloads: 'keepalived',
    }),
  look: ({ services }) => services.get('keepalived')?.isActive,
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: { started: { args: { verb: 'start' }, wanted: true } },
})
