import { proveStep, scratchRoot } from '../../../../test/support/step-suite.ts'
import type { TestContext } from 'node:test'
import type { Stoppable } from '../../../../test/support/stoppable.ts'
import { openApply } from '../../../host/apply/index.ts'
import { stamped } from '../../../host/apply/stamp.ts'
import { openHost, type Host } from '../../../host/index.ts'
import { on, scriptedRun } from '../../../host/testing/scripted-run.ts'
import { lua } from '../../lua/index.ts'
import { nginx } from '../index.ts'
import { debianLayout } from '../layout.ts'
import { standInNginx, type StandInNginx } from '../testing/stand-in.ts'
import { accessConfigPath, accessDirectory, loadingPath } from './layout.ts'
import { renderAccessConfig } from './render-access.ts'

interface Machine {
  readonly host: Host
  readonly program: StandInNginx
}

async function makeMachine(t: TestContext): Promise<Machine> {
  const host = openHost({ root: scratchRoot(t), run: scriptedRun(on('service --version')).run })
  await host.files.makeDirectory('/etc/nginx/conf.d')
  await host.files.makeDirectory('/etc/nginx/modules-enabled')
  await host.files.makeDirectory(accessDirectory(debianLayout))
  const program = standInNginx(host.files)
  await nginx.open(host, { program }).setUp()
  return { host, program }
}

const open = ({ host, program }: Machine, door: Stoppable['door']) => {
  const files = door(host.files)
  return nginx.open({ ...host, files, ...openApply(files) }, { program: door(program) })
}

const name = '1-0123456789abcdef.rules'
const rulesPath = `${accessDirectory(debianLayout)}/${name}`
const haveRules = async ({ host }: Machine) => {
  await host.files.makeDirectory(accessDirectory(debianLayout))
  await host.files.write(rulesPath, 'former')
}

proveStep<Machine>('nginx.write-access-file', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).steps.writeAccessFile,
  look: async ({ host }) => (await host.files.read(rulesPath)) ?? null,
  cases: {
    'new rules': {
      args: { name, content: 'rules' },
      wanted: 'rules',
      handEdit: ({ host }) => host.files.write(rulesPath, 'other'),
    },
    'rules that are not loaded any more': { args: { name, content: null }, arrange: haveRules, wanted: null },
  },
})

const owners = [{ owner: 1, digest: '0123456789abcdef', isClosed: true }]
const sitePath = `${debianLayout.sitesDirectory}/a.test.conf`

proveStep<Machine>('nginx.write-access', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).steps.writeAccess,
  look: async ({ host, program }) => ({
    config: (await host.files.read(accessConfigPath(debianLayout))) ?? null,
    site: (await host.files.read(sitePath)) ?? null,
    isServed: (await nginx.open(host, { program }).detect()).healthy,
  }),
  cases: {
    'an owner with a website': {
      args: { owners, sites: [{ domain: 'a.test', content: 'ruled' }] },
      wanted: {
        config: stamped(renderAccessConfig(debianLayout, owners)),
        site: stamped('ruled'),
        isServed: true,
      },
      handEdit: ({ host }) => host.files.write(sitePath, '# by hand'),
      refusedAfter: ({ host }) => host.files.write(sitePath, '# by hand'),
    },
  },
})

proveStep<Machine>('lua.load-module', {
  machine: makeMachine,
  open: ({ host, program }, door) =>
    lua.open({ ...host, files: door(host.files) }, { program: door(program) }).steps.loadModule,
  look: async ({ host }) => (await host.files.read(loadingPath(debianLayout))) ?? null,
  cases: {
    'a module that is not loaded': {
      args: null,
      wanted: 'load_module modules/ngx_http_lua_module.so;\n',
      handEdit: ({ host }) => host.files.write(loadingPath(debianLayout), '# mine'),
    },
  },
})
