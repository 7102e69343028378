import type { TestContext } from 'node:test'
import type { Stoppable } from '../../../test/support/stoppable.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openApply } from '../../host/apply/index.ts'
import { stamped } from '../../host/apply/stamp.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { apache } from './index.ts'
import { debianLayout, sitePathIn } from './layout.ts'
import { type StandInApache, standInApache } from './testing/stand-in.ts'

interface Machine {
  readonly host: Host
  readonly program: StandInApache
}

async function makeMachine(t: TestContext): Promise<Machine> {
  const host = openHost({ root: scratchRoot(t), run: scriptedRun(scriptSystemd(new Map())).run })
  for (const path of ['/etc/apache2/sites-available', '/run/systemd/system', '/var/log'])
    await host.files.makeDirectory(path)
  const program = standInApache(host.files)
  await apache.open(host, { program, starter: program.starter }).setUp()
  return { host, program }
}

const open = ({ host, program }: Machine, door: Stoppable['door']) => {
  const files = door(host.files)
  return apache.open(
    { ...host, files, ...openApply(files) },
    { program: door(program), starter: program.starter },
  )
}
const pathOf = (domain: string) => sitePathIn(debianLayout, domain)
const put =
  (domain: string, content: string) =>
  ({ host }: Machine) =>
    host.files.write(pathOf(domain), content)
const arrange = async (machine: Machine) => {
  const { tool } = open(machine, (thing) => thing)
  await machine.host.apply(tool, [{ path: pathOf('a.test'), content: 'old' }])
}

proveStep<Machine>('apache.write-sites', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).steps.writeSites,
  look: async (machine) => ({
    a: (await machine.host.files.read(pathOf('a.test'))) ?? null,
    b: (await machine.host.files.read(pathOf('b.test'))) ?? null,
    isServed: (await open(machine, (thing) => thing).detect()).healthy,
  }),
  cases: {
    'one replaced and one new site': {
      args: {
        sites: [
          { domain: 'a.test', content: 'new' },
          { domain: 'b.test', content: 'too' },
        ],
      },
      arrange,
      wanted: { a: stamped('new'), b: stamped('too'), isServed: true },
      handEdit: put('b.test', '# by hand'),
      refusedAfter: put('b.test', '# by hand'),
    },
    'a removed site': {
      args: { sites: [{ domain: 'a.test', content: null }] },
      arrange,
      wanted: { a: null, b: null, isServed: true },
      handEdit: put('a.test', stamped('old').replace('old', 'by hand')),
    },
  },
})
