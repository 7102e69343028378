import type { TestContext } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import type { Stoppable } from '../../../test/support/stoppable.ts'
import { openApply } from '../../host/apply/index.ts'
import { stamped } from '../../host/apply/stamp.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptPackages, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { rsyslog } from './index.ts'
import { directory, sharedPath, sourcePath } from './layout.ts'
import { renderShared, renderSource, type SourceSettings } from './render.ts'
import { standInRsyslog, type StandInRsyslog } from './testing/stand-in.ts'

interface Machine {
  readonly host: Host
  readonly program: StandInRsyslog
  readonly services: Map<string, { isActive: boolean; isEnabled: boolean }>
}

async function makeMachine(t: TestContext): Promise<Machine> {
  const program = standInRsyslog()
  const packages = new Map([['rsyslog-elasticsearch', '8.2302.0-1']])
  const services = new Map([['rsyslog', { isActive: true, isEnabled: true }]])
  const { run } = scriptedRun(program.script, scriptPackages(packages), scriptSystemd(services))
  const host = openHost({ root: scratchRoot(t), run })
  for (const path of ['/etc/rsyslog.d', '/run/systemd/system', '/var/lib'])
    await host.files.makeDirectory(path)
  program.live = host.files.real(directory)
  return { host, program, services }
}

const open = ({ host, program }: Machine, door: Stoppable['door']) => {
  const files = door(host.files)
  return rsyslog.open({ ...host, files, ...openApply(files) }, program.options)
}

const source = (port: number): SourceSettings => ({
  id: 1,
  name: 'network',
  listens: { protocol: 'udp', port },
  includesLocal: false,
  allowed: [],
  replicateTo: null,
})
const args = {
  title: 'Write the source',
  written: [source(514)],
  removed: [],
  loads: ['omelasticsearch', 'imudp'],
}
const put =
  (content: string) =>
  ({ host }: Machine) =>
    host.files.write(sourcePath(1), content)
const applied = async ({ host }: Machine) => {
  await host.files.write(sharedPath, stamped(renderShared(['omelasticsearch', 'imudp'])))
  await host.files.write(sourcePath(1), stamped(renderSource(source(600))))
}

proveStep<Machine>('rsyslog.write-sources', {
  machine: makeMachine,
  open: (machine, door) => open(machine, door).steps.writeSources,
  look: async ({ host }) => [
    (await host.files.read(sharedPath)) ?? null,
    (await host.files.read(sourcePath(1))) ?? null,
  ],
  cases: {
    'a new source': {
      args,
      wanted: [stamped(renderShared(['omelasticsearch', 'imudp'])), stamped(renderSource(source(514)))],
      handEdit: put('# by hand'),
      refusedAfter: put('# by hand'),
    },
    'a source with another port': {
      args,
      arrange: applied,
      callsAsIn: 'a new source',
      wanted: [stamped(renderShared(['omelasticsearch', 'imudp'])), stamped(renderSource(source(514)))],
      handEdit: put('# by hand'),
    },
    'the last source, which is removed': {
      args: { title: 'Remove the source', written: [], removed: [1], loads: null },
      arrange: applied,
      wanted: [null, null],
      handEdit: put('# by hand'),
    },
  },
})

proveStep<Machine>('rsyslog.switch-program', {
  machine: makeMachine,
  open: ({ host, program }, door) =>
    rsyslog.open({ ...host, services: door(host.services) }, program.options).steps.switchProgram,
  look: ({ services }) => ({ ...services.get('rsyslog') }),
  withoutHandEdit: 'it starts a program: there is nothing to edit',
  cases: {
    started: {
      args: { verb: 'start' },
      arrange: ({ services }) => void services.set('rsyslog', { isActive: false, isEnabled: true }),
      wanted: { isActive: true, isEnabled: true },
    },
    enabled: {
      args: { verb: 'enable' },
      arrange: ({ services }) => void services.set('rsyslog', { isActive: true, isEnabled: false }),
      wanted: { isActive: true, isEnabled: true },
    },
  },
})
