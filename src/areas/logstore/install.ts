import Type, { type Static } from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { heapOf } from '../../tools/opensearch/index.ts'
import { tlsPackage } from '../../tools/rsyslog/index.ts'
import { type Logstore, work } from './context.ts'
import { logstoreLock } from './locks.ts'
import { LogstoreInstalled } from './model.ts'
import { AlreadyInstalled, NotInstalled } from './problems.ts'

/** Installs OpenSearch and what rsyslog needs for it, and starts it. */
export const installing = work({
  kind: 'logstore.install',
  input: Type.Object({}),
  reply: LogstoreInstalled,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: ({ logstore }) => install(logstore),
})

async function install(on: Logstore): Promise<Change<Static<typeof LogstoreInstalled>>> {
  const { opensearch, rsyslog, programSteps, repository } = on
  if ((await opensearch.detect()).present) throw AlreadyInstalled()
  const { steps } = opensearch
  const ofDaemon = [...(rsyslog.installation?.packages ?? []), tlsPackage]
  return change({
    summary: 'Install the log store',
    locks: [logstoreLock],
    steps: [
      step(steps.setRepository, { base: repository }),
      step(steps.installPackage, { packages: opensearch.installation?.packages ?? [], dataDirectories: [] }),
      step(programSteps.installPackages, { packages: ofDaemon, dataDirectories: [] }),
      step(rsyslog.steps.switchProgram, { verb: 'enable' }),
      step(rsyslog.steps.switchProgram, { verb: 'start' }),
      step(steps.writeConfiguration, { heapMib: heapOf() }),
      step(steps.switchProgram, { verb: 'enable' }),
      step(steps.switchProgram, { verb: 'restart' }),
      step(steps.awaitAnswer, null),
      ...opensearch.templateNames.map((name) => step(steps.putTemplate, { name })),
    ],
    reply: { ...success, message: 'OpenSearch is installed and answers' },
  })
}

/** Removes OpenSearch and what the panel wrote for rsyslog; the lines stay on the disk, and the sources in the panel. */
export const uninstalling = work({
  kind: 'logstore.uninstall',
  input: Type.Object({}),
  reply: LogstoreInstalled,
  timeoutMs: 1_800_000,
  attempts: 1,
  resumes: false,
  decide: ({ logstore }) => uninstall(logstore),
})

async function uninstall(on: Logstore): Promise<Change<Static<typeof LogstoreInstalled>>> {
  const { opensearch, rsyslog, programSteps } = on
  if (!(await opensearch.detect()).present) throw NotInstalled()
  const removed = await rsyslog.appliedSources()
  const sources = { title: 'Remove the sources from rsyslog', written: [], removed, loads: null }
  return change({
    summary: 'Remove the log store',
    locks: [logstoreLock],
    steps: [
      ...(removed.length > 0 ? [step(rsyslog.steps.writeSources, sources)] : []),
      step(programSteps.removeProgram, { name: 'opensearch' }),
      step(opensearch.steps.setRepository, { base: null }),
    ],
    details: ['The lines stay in /var/lib/opensearch'],
    reply: { ...success, message: 'OpenSearch is removed; its lines stay in /var/lib/opensearch' },
  })
}
