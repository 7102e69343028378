import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { type Host, openHost } from '../../host/index.ts'
import { openServices } from '../../host/services.ts'
import { scriptPackages, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { packageSteps } from './package-steps.ts'

const service = 'php8.2-fpm'

interface Machine {
  readonly host: Host
  readonly root: string
  readonly installed: Map<string, string>
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
}

async function machineOf(root: string): Promise<Machine> {
  const installed = new Map(['php8.2-cli', service, 'php-common'].map((name) => [name, '8.2.1']))
  const services = new Map([[service, { isActive: false, isEnabled: false }]])
  const host = openHost({ root, run: scriptedRun(scriptPackages(installed)).run })
  await host.files.makeDirectory('/run/systemd/system')
  return { host, root, installed, services }
}

proveStep<Machine>('php.remove-packages', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) => packageSteps({ ...host, packages: door(host.packages) }).removePackages,
  look: ({ installed }) => [...installed.keys()],
  withoutHandEdit: 'packages are not edited',
  cases: {
    'a version with two packages': {
      args: { version: '8.2', packages: ['php8.2-cli', service] },
      wanted: ['php-common'],
    },
  },
})

proveStep<Machine>('php.switch-service', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host, root, services }, door) =>
    packageSteps({
      ...host,
      services: openServices(door(scriptedRun(scriptSystemd(services)).run), openHost({ root }).files),
    }).switchService,
  look: ({ services }) => services.get(service),
  withoutHandEdit: 'it starts and enables a program: there is nothing to edit',
  cases: {
    started: { args: { version: '8.2', verb: 'start' }, wanted: { isActive: true, isEnabled: false } },
    enabled: { args: { version: '8.2', verb: 'enable' }, wanted: { isActive: false, isEnabled: true } },
  },
})
