import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { serviceOf, serviceStep } from '../../host/apply/steps.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { credentialsPath, dataDirectory } from './layout.ts'
import { writeCredentials } from './write-credentials.ts'

interface Machine {
  readonly root: string
  readonly host: Host
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
}

async function machineOf(root: string): Promise<Machine> {
  const services = new Map([['proxysql', { isActive: true, isEnabled: true }]])
  const host = openHost({ root, run: scriptedRun(scriptSystemd(services)).run })
  await host.files.makeDirectory('/run/systemd/system')
  for (const folder of ['/root', dataDirectory]) mkdirSync(root + folder, { recursive: true })
  chmodSync(root + dataDirectory, 0o755)
  return { root, host, services }
}

proveStep<Machine>('proxysql.write-credentials', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) => writeCredentials({ files: door(host.files) }),
  look: ({ root }) => {
    const content = existsSync(root + credentialsPath) && readFileSync(root + credentialsPath, 'utf8')
    return [/^password=(.*)$/m.exec(content || '')?.[1], statSync(root + dataDirectory).mode & 0o777]
  },
  cases: {
    new: {
      args: { password: 'a-password' },
      wanted: ['a-password', 0o700],
      handEdit: ({ root }) => writeFileSync(root + credentialsPath, '[client]\npassword=by-hand\n'),
    },
  },
})

proveStep<Machine>('proxysql.switch-program', {
  machine: (t) => machineOf(scratchRoot(t)),
  open: ({ host }, door) =>
    serviceStep(serviceOf(door(host.services), 'proxysql'), {
      name: 'proxysql.switch-program',
      title: 'ProxySQL',
      reloads: 'proxysql',
    }),
  look: ({ services }) => services.get('proxysql')?.isActive,
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: { stopped: { args: { verb: 'stop' }, wanted: false } },
})
