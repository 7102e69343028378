import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openHost } from '../../host/index.ts'
import { openServices } from '../../host/services.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { switchProgram } from './switch-program.ts'

interface Machine {
  readonly root: string
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
}

proveStep<Machine>('mariadb.switch-program', {
  machine: async (t) => {
    const root = scratchRoot(t)
    await openHost({ root }).files.makeDirectory('/run/systemd/system')
    return { root, services: new Map([['mariadb', { isActive: false, isEnabled: true }]]) }
  },
  open: ({ root, services }, door) =>
    switchProgram(openServices(door(scriptedRun(scriptSystemd(services)).run), openHost({ root }).files)),
  look: ({ services }) => services.get('mariadb')?.isActive,
  withoutHandEdit: 'it starts and stops a program: there is nothing to edit',
  cases: {
    started: { args: { verb: 'start' }, wanted: true },
    stopped: {
      args: { verb: 'stop' },
      arrange: ({ services }) => services.set('mariadb', { isActive: true, isEnabled: true }),
      wanted: false,
    },
  },
})
