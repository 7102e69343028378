import { writeFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { openApply } from '../../host/apply/index.ts'
import { stamped } from '../../host/apply/stamp.ts'
import { type Host, openHost } from '../../host/index.ts'
import { scriptPackages, scriptSystemd } from '../../host/testing/scripted-host.ts'
import { scriptedRun } from '../../host/testing/scripted-run.ts'
import { logForwarding } from '../../tools/log-forwarding/index.ts'
import { rulePath } from '../../tools/log-forwarding/layout.ts'
import { scriptRsyslogd } from '../../tools/log-forwarding/testing/stand-in.ts'
import type { SnapshotParts } from './parts.ts'
import { restoreFilesStep } from './restore-files-step.ts'
import { dropStep, takeStep } from './take-step.ts'

type Door = <Thing extends object>(thing: Thing) => Thing

const directory = '/snapshots'
const path = rulePath('remote')
const content = (text: string) => stamped(`action(type="omfwd" name="${text}")\n`)

async function machine(t: TestContext): Promise<Host> {
  const packages = new Map([
    ['rsyslog', '8.2302.0-1'],
    ['rsyslog-gnutls', '8.2302.0-1'],
  ])
  const { run } = scriptedRun(scriptRsyslogd(), scriptPackages(packages), scriptSystemd(new Map()))
  const host = openHost({ root: scratchRoot(t), run })
  for (const each of ['/etc/rsyslog.d', '/run/systemd/system', '/var/lib', `${directory}/old`])
    await host.files.makeDirectory(each)
  await host.files.write(`${directory}/old/files.json`, '{}')
  await host.files.write(path, content('now'))
  return host
}

/** What the steps need. The store is a file. */
function partsOn(host: Host, door: Door): SnapshotParts {
  const files = door(host.files)
  const { apply } = openApply(files)
  return {
    files,
    apply,
    applyEdit: host.applyEdit,
    store: {
      migrations: [],
      copyTo: async (to) => writeFileSync(to, 'store'),
      db: undefined as never,
      rehearse: async () => {},
    },
    managed: logForwarding.open({ ...host, files, apply }).managed,
    version: '1.0.0',
    directory,
    scratch: '/making',
  }
}

const look = async ({ files }: Host) => ({
  snapshots: await files.list(directory),
  live: (await files.read(path)) ?? null,
})
const live = content('now')
const never = 'Only the panel writes the folder'

proveStep<Host>('snapshots.take', {
  machine,
  open: (host, door) => takeStep(partsOn(host, door)),
  look,
  cases: {
    'a snapshot': {
      args: { name: 'new', comment: '', created_at: '2026-11-28T00:00:00.000Z' },
      wanted: { snapshots: ['new', 'old'], live },
      repeats: 'the folder is there',
      returns: { files: 1, left_out: [] },
    },
  },
  withoutHandEdit: never,
})

proveStep<Host>('snapshots.drop', {
  machine,
  open: (host, door) => dropStep(partsOn(host, door)),
  look,
  cases: { 'a snapshot': { args: { name: 'old' }, wanted: { snapshots: [], live } } },
  withoutHandEdit: 'the step is final',
})

proveStep<Host>('snapshots.restore-files', {
  machine,
  open: (host, door) => restoreFilesStep(partsOn(host, door)),
  look,
  cases: {
    'a file that was changed since': {
      args: { program: 'log-forwarding', files: { [path]: content('then') } },
      wanted: { snapshots: ['old'], live: content('then') },
      handEdit: ({ files }) => files.write(path, '# by hand\n'),
    },
    'a file that was not there': {
      args: { program: 'log-forwarding', files: { [path]: null } },
      wanted: { snapshots: ['old'], live: null },
      callsAsIn: 'a file that was changed since',
    },
  },
})
