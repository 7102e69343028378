import { type Host, openHost } from '../host/index.ts'
import { scriptPackages } from '../host/testing/scripted-host.ts'
import { scriptedRun } from '../host/testing/scripted-run.ts'
import { proveStep, scratchRoot } from '../../test/support/step-suite.ts'
import { programSteps } from './program-steps.ts'
import { programOf } from './program.ts'

interface Machine {
  readonly host: Host
  readonly installed: Map<string, string>
}

function machine(root: string): Machine {
  const installed = new Map([
    ['shopd', '1.0'],
    ['shopd-tools', '1.0'],
    ['tzdata', '2026a'],
  ])
  return { installed, host: openHost({ root, run: scriptedRun(scriptPackages(installed)).run }) }
}

proveStep<Machine>('program.remove', {
  machine: (t) => machine(scratchRoot(t)),
  open: ({ host }, door) => {
    const packages = door(host.packages)
    const detect = async () => ({ present: true, version: null, healthy: true, reason: null })
    const parts = { name: 'shop', packages: ['shopd', 'shopd-tools'], detect, setUp: async () => {} }
    return programSteps({ packages }, [programOf({ ...host, packages }, parts)]).removeProgram
  },
  look: ({ installed }) => [...installed.keys()],
  withoutHandEdit: 'packages are not edited',
  cases: {
    'a program with two packages': { args: { name: 'shop' }, wanted: ['tzdata'] },
    'a program of which one package is there': {
      args: { name: 'shop' },
      arrange: ({ installed }) => installed.delete('shopd'),
      wanted: ['tzdata'],
      callsAsIn: 'a program with two packages',
    },
  },
})
