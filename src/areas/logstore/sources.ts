import { type Change, change, step } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { success } from '../../core/reply.ts'
import { clusterTemplate } from '../../tools/opensearch/index.ts'
import { tlsPackage, transportOf } from '../../tools/rsyslog/index.ts'
import type { AreaPort } from '../firewall/index.ts'
import type { Logstore } from './context.ts'
import { logstoreLock } from './locks.ts'
import { defaultPort, type LogSource, type LogSourceDraft, type LogSourceEdit } from './model.ts'
import { NotInstalled, SourceInvalid } from './problems.ts'
import { settingsOf } from './source-settings.ts'
import { isPresent } from './status.ts'
import { type SourceRow, sources } from './store.ts'

const mostSources = 100

/** Lists the sources with what rsyslog has of them. */
export async function listSources(on: Logstore): Promise<LogSource[]> {
  const rows = await on.queries.sources()
  return Promise.all(rows.map((row) => shown(on, row)))
}

/** Adds a source, which receives nothing before it is applied. */
export async function createSource(
  on: Logstore,
  draft: LogSourceDraft,
  { id, now }: Pick<Deciding, 'id' | 'now'>,
): Promise<Change<LogSource>> {
  const all = await on.queries.sources()
  if (all.length >= mostSources) throw SourceInvalid(`there are ${mostSources} sources: delete one first`)
  const row = sources.row({
    ...draft,
    port: portOf(draft.port),
    id: id(sources.name),
    enabled: true,
    created_at: now.toISOString(),
  })
  assertValid(on, row, all)
  return change({
    summary: `Add the log source ${row.name}`,
    locks: [logstoreLock],
    rows: [sources.insert(row)],
    reply: { ...sources.show(row), state: 'not_applied' as const },
  })
}

/** Edits a source; rsyslog has it as before until it is applied again. */
export async function editSource(on: Logstore, id: number, edit: LogSourceEdit): Promise<Change<LogSource>> {
  const row = await on.queries.loadSource(id)
  const set = edit.port === undefined ? edit : { ...edit, port: portOf(edit.port) }
  const next = sources.changed(row, set)
  assertValid(on, next, await on.queries.sources())
  return change({
    summary: `Edit the log source ${next.name}`,
    locks: [logstoreLock],
    rows: [sources.update(row, set)],
    reply: await shown(on, next),
  })
}

/** Has rsyslog receive the lines of a source, or receive them as it was edited. */
export async function applySource(on: Logstore, id: number): Promise<Change<LogSource>> {
  const row = await on.queries.loadSource(id)
  if (row.enabled !== 1) throw SourceInvalid(`${row.name} is disabled: enable it, which applies it too`)
  return change({
    summary: `Apply the log source ${row.name}`,
    locks: [logstoreLock],
    steps: await writing(on, row),
    reply: { ...sources.show(row), state: 'applied' as const },
  })
}

/** Disables a source and takes it from rsyslog, or enables and applies it. */
export async function toggleSource(on: Logstore, id: number): Promise<Change<LogSource>> {
  const row = await on.queries.loadSource(id)
  const enabled = row.enabled !== 1
  const next = sources.changed(row, { enabled })
  return change({
    summary: `${enabled ? 'Enable' : 'Disable'} the log source ${row.name}`,
    locks: [logstoreLock],
    steps: enabled ? await writing(on, next) : await removing(on, row),
    rows: [sources.update(row, { enabled })],
    reply: { ...sources.show(next), state: enabled ? ('applied' as const) : ('not_applied' as const) },
  })
}

/** Deletes a source and takes it from rsyslog; its lines stay. An unknown one is deleted already. */
export async function deleteSource(on: Logstore, id: number): Promise<Change<{ success: true }>> {
  const row = await on.queries.findSource(id)
  return change({
    summary: row === undefined ? `There is no log source ${id}` : `Delete the log source ${row.name}`,
    locks: [logstoreLock],
    steps: row === undefined ? [] : await removing(on, row),
    rows: row === undefined ? [] : [sources.delete({ id })],
    reply: success,
  })
}

/** Lists the ports that the firewall opens: those on which rsyslog receives, also while an edit waits to be applied. */
export async function portsOfSources({ queries, rsyslog }: Logstore): Promise<readonly AreaPort[]> {
  const names = new Map((await queries.sources()).map(({ id, name }) => [id, name]))
  return (await rsyslog.receivedPorts()).flatMap(({ id, port, protocol }) => {
    const name = names.get(id)
    return name === undefined
      ? []
      : [{ port, protocol, name: 'Logs', reason: `the source ${name} receives on it` }]
  })
}

/** Has rsyslog read the certificate of the panel anew where a source over TLS still shows a former one. */
export async function renewCertificate(on: Logstore): Promise<void> {
  const overTls = (await on.queries.sources()).filter((row) => row.protocol === 'tls' && row.enabled === 1)
  const applied = new Set(overTls.length === 0 ? [] : await on.rsyslog.appliedSources())
  if (!overTls.some(({ id }) => applied.has(id))) return
  const replacedAt = await on.files.changedAt(on.certificate.cert)
  if (replacedAt !== undefined) await on.rsyslog.restartIfOlderThan(replacedAt)
}

/** The steps that write a source, what all of them share, and in a cluster how it stores lines. */
async function writing(on: Logstore, row: SourceRow) {
  const { opensearch, rsyslog } = on
  if (!(await isPresent(on)) || !(await rsyslog.detect()).present) throw NotInstalled()
  await assertPortFree(on, row)
  const written = settingsOf(row, on)
  if (written.listens?.protocol === 'tls') await assertTls(on)
  const write = step(rsyslog.steps.writeSources, {
    title: `Write the log source ${row.name} for rsyslog`,
    written: [written],
    removed: [],
    loads: await rsyslog.modulesWith(row.id, written),
  })
  return opensearch.isCluster()
    ? [step(opensearch.steps.putTemplate, { name: clusterTemplate }), write]
    : [write]
}

/** The step that takes a source from rsyslog, if that has it. */
async function removing({ rsyslog }: Logstore, row: SourceRow) {
  const applied = await rsyslog.appliedSources()
  if (!applied.includes(row.id)) return []
  const isLast = applied.every((id) => id === row.id)
  return [
    step(rsyslog.steps.writeSources, {
      title: `Remove the log source ${row.name} from rsyslog`,
      written: [],
      removed: [row.id],
      loads: isLast ? null : await rsyslog.modulesWith(row.id, undefined),
    }),
  ]
}

/** rsyslog itself only logs that it could not take a port. A file that was edited may have hidden its own, and is refused later. */
async function assertPortFree(on: Logstore, row: SourceRow): Promise<void> {
  const { queries, rsyslog } = on
  const { listens } = settingsOf(row, on)
  if (listens === null || (await rsyslog.wasEdited(row.id))) return
  const { port } = listens
  const protocol = transportOf(listens.protocol)
  const holder = (await rsyslog.receivedPorts()).find(
    (each) => each.port === port && each.protocol === protocol,
  )
  if (holder?.id === row.id) return
  if (holder !== undefined) {
    const other = await queries.findSource(holder.id)
    throw SourceInvalid(
      `port: rsyslog receives on ${port}/${protocol} for the source ${other?.name ?? holder.id} until that is applied or deleted`,
    )
  }
  if (await rsyslog.isBound(protocol, port))
    throw SourceInvalid(`port: ${port}/${protocol} is in use by another program`)
}

/** rsyslog only logs that it has no driver, or no certificate, and then receives nothing. */
async function assertTls({ rsyslog, files, certificate }: Logstore): Promise<void> {
  if (!(await rsyslog.hasTls()))
    throw SourceInvalid(`protocol: tls needs the package ${tlsPackage}: install it, or choose tcp`)
  for (const path of [certificate.cert, certificate.key])
    if ((await files.facts(path)) === undefined)
      throw SourceInvalid(`protocol: tls needs the certificate of the panel, and there is no ${path}`)
}

async function shown(on: Logstore, row: SourceRow): Promise<LogSource> {
  const state = await on.rsyslog.stateOf(settingsOf(row, on))
  const states = { applied: 'applied', differs: 'changed', absent: 'not_applied' } as const
  return { ...sources.show(row), state: states[state] }
}

const portOf = (port: number): number => (port === 0 ? defaultPort : port)

function assertValid(on: Logstore, row: SourceRow, all: readonly SourceRow[]): void {
  if (row.name.trim() === '') throw SourceInvalid('name: must be a name of 1 to 100 characters')
  const others = all.filter(({ id }) => id !== row.id)
  if (others.some(({ name }) => name === row.name)) throw SourceInvalid(`name: there is a source ${row.name}`)
  const { listens, includesLocal } = settingsOf(row, on)
  const rival = others.find(
    ({ type, port, protocol }) =>
      type === 'syslog' && listens?.port === port && transportOf(listens.protocol) === transportOf(protocol),
  )
  if (rival) throw SourceInvalid(`port: the source ${rival.name} receives on ${row.port}/${row.protocol}`)
  const local = others.find((other) => settingsOf(other, on).includesLocal)
  if (includesLocal && local)
    throw SourceInvalid(`include_local: the source ${local.name} stores the lines of this host`)
}
