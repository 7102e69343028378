import type { TestContext } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openApply } from '../../host/apply/index.ts'
import { stamped } from '../../host/apply/stamp.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptPackages, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { logForwarding } from './index.ts'
import { authorityPath, rulePath } from './layout.ts'
import { renderRule, type Target } from './render.ts'
import { scriptRsyslogd } from './testing/stand-in.ts'

async function makeMachine(t: TestContext): Promise<Host> {
  const packages = new Map([
    ['rsyslog', '8.2302.0-1'],
    ['rsyslog-gnutls', '8.2302.0-1'],
  ])
  const { run } = scriptedRun(scriptRsyslogd(), scriptPackages(packages), scriptSystemd(new Map()))
  const host = openHost({ root: scratchRoot(t), run })
  for (const path of ['/etc/rsyslog.d', '/run/systemd/system', '/var/lib'])
    await host.files.makeDirectory(path)
  return host
}

const target = (port: number): Target => ({ server: 'logs.example.com', port, protocol: 'tls', ca: 'PEM' })
const applied = (port: number) => [stamped(renderRule('remote', target(port))), stamped('PEM\n')]
const put = (content: string) => (host: Host) => host.files.write(rulePath('remote'), content)
const arrange = async ({ files }: Host) => {
  const [rule = '', authority = ''] = applied(514)
  await files.write(rulePath('remote'), rule)
  await files.write(authorityPath('remote'), authority)
}
const args = { purpose: 'remote', target: target(6514), overwrite: false }

proveStep<Host>('log-forwarding.write-rules', {
  machine: makeMachine,
  open: (host, door) => {
    const files = door(host.files)
    return logForwarding.open({ ...host, files, ...openApply(files) }).steps.writeRules
  },
  look: async ({ files }) => [
    (await files.read(rulePath('remote'))) ?? null,
    (await files.read(authorityPath('remote'))) ?? null,
  ],
  cases: {
    'a first server': {
      args,
      wanted: applied(6514),
      handEdit: put('# by hand'),
      refusedAfter: put('# by hand'),
    },
    'another port': {
      args,
      arrange,
      callsAsIn: 'a first server',
      wanted: applied(6514),
      handEdit: put('# by hand'),
    },
    'no server any more': {
      args: { ...args, target: null },
      arrange,
      wanted: [null, null],
      handEdit: put('# by hand'),
    },
  },
})
