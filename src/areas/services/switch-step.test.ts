import { mkdirSync } from 'node:fs'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openFiles } from '../../host/files.ts'
import { openServices } from '../../host/services.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { switchStep } from './switch-step.ts'

interface Machine {
  readonly root: string
  readonly units: Map<string, { isActive: boolean; isEnabled: boolean }>
}

const args = (name: string, verb: string) => ({ name, verb, stopped: [], triggers: [] })
const state = ({ units }: Machine) =>
  [...units].map(([name, { isActive, isEnabled }]) => [name, isActive, isEnabled])

proveStep<Machine>('services.switch', {
  machine: (t) => {
    const root = scratchRoot(t)
    mkdirSync(`${root}/run/systemd/system`, { recursive: true })
    return { root, units: new Map([['cron', { isActive: true, isEnabled: true }]]) }
  },
  open: ({ root, units }, door) =>
    switchStep(openServices(door(scriptedRun(scriptSystemd(units))).run, openFiles(root))),
  look: state,
  withoutHandEdit: 'a service that another stops or starts meanwhile has reached or left the wanted state',
  cases: {
    'stops a service': { args: args('cron', 'stop'), wanted: [['cron', false, true]] },
    'disables a service': { args: args('cron', 'disable'), wanted: [['cron', true, false]] },
    'starts a service': {
      args: args('cron', 'start'),
      arrange: ({ units }) => units.set('cron', { isActive: false, isEnabled: true }),
      wanted: [['cron', true, true]],
    },
  },
})
