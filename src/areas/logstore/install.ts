import Type, { type Static } from 'typebox'
import { type Change, change, step } from '../../core/change.ts'
import { success } from '../../core/reply.ts'
import { clusterTemplate, heapOf } from '../../tools/opensearch/index.ts'
import { tlsPackage } from '../../tools/rsyslog/index.ts'
import { type Logstore, work } from './context.ts'
import { logstoreLock } from './locks.ts'
import { LogstoreInstalled } from './model.ts'
import { AlreadyInstalled, NotInstalled } from './problems.ts'
import { isPresent } from './status.ts'

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
  if (opensearch.isCluster()) return joinCluster(on)
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

/** Installs what rsyslog needs to send lines to an existing cluster. */
async function joinCluster({ opensearch, rsyslog, programSteps }: Logstore) {
  if ((await rsyslog.detect()).present)
    throw AlreadyInstalled('rsyslog can send lines to the nodes of logstore_url already')
  const packages = [...(rsyslog.installation?.packages ?? []), tlsPackage]
  return change({
    summary: 'Prepare rsyslog for the cluster that keeps log lines',
    locks: [logstoreLock],
    steps: [
      step(programSteps.installPackages, { packages, dataDirectories: [] }),
      step(rsyslog.steps.switchProgram, { verb: 'enable' }),
      step(rsyslog.steps.switchProgram, { verb: 'start' }),
      step(opensearch.steps.awaitAnswer, null),
      step(opensearch.steps.putTemplate, { name: clusterTemplate }),
    ],
    reply: { ...success, message: 'The cluster answers, and rsyslog can send lines to it' },
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
  if (!(await isPresent(on))) throw NotInstalled()
  const removed = await rsyslog.appliedSources()
  const sources = { title: 'Remove the sources from rsyslog', written: [], removed, loads: null }
  const ofDaemon = removed.length > 0 ? [step(rsyslog.steps.writeSources, sources)] : []
  if (opensearch.isCluster())
    return change({
      summary: 'Send no more lines to the cluster that keeps them',
      locks: [logstoreLock],
      steps: ofDaemon,
      details: ['The lines stay in the cluster'],
      reply: { ...success, message: 'rsyslog sends no more lines; those in the cluster stay' },
    })
  return change({
    summary: 'Remove the log store',
    locks: [logstoreLock],
    steps: [
      ...ofDaemon,
      step(programSteps.removeProgram, { name: 'opensearch' }),
      step(opensearch.steps.setRepository, { base: null }),
    ],
    details: ['The lines stay in /var/lib/opensearch'],
    reply: { ...success, message: 'OpenSearch is removed; its lines stay in /var/lib/opensearch' },
  })
}
