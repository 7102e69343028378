import { Problem } from '../../core/problem.ts'
import { isOlder } from '../../host/apply/edited-file.ts'
import { ConfigRejected, ReloadFailed, RestoreFailed } from '../../host/apply/problems.ts'
import { type Balancer, databaseName, type StoredBalancer } from './balancer.ts'
import { canChangeLive, changeLive } from './live.ts'
import { cdbOf } from './cdb.ts'
import { balancerPath } from './layout.ts'
import type { DnsdistParts } from './parts.ts'
import { ConfigInvalid, IncludeMissing } from './problems.ts'
import { includesOf } from './program.ts'
import { readBalancer, readStored } from './read-balancer.ts'
import { generationOf, renderBalancer } from './render.ts'
import { rightsOf } from './rights.ts'
import { wireName } from './wire-name.ts'

const includeReached = 'hostreeve: the include is reached'

/**
 * Writes the rules of the panel, once dnsdist has accepted them. A running dnsdist takes them through its console if it
 * can, and restarts otherwise. If it does not start with them, the previous ones are restored.
 */
export async function applyBalancer(parts: DnsdistParts, balancer: Balancer): Promise<void> {
  const { host, layout } = parts
  await writeDatabases(parts, balancer)
  const refusal = await checkWith(parts, {
    config: (await host.files.read(layout.configPath)) ?? '',
    rules: renderBalancer(balancer, layout.directory),
  })
  if (refusal !== undefined) throw ConfigRejected(`dnsdist: ${refusal}`)
  const former = await readBalancer(parts)
  const takesLive = (await canChangeLive(parts)) && (() => changeLive(parts, former, balancer))
  await replace(
    parts,
    balancerPath(layout),
    renderBalancer(balancer, layout.directory),
    takesLive || undefined,
  )
  await removeUnused(parts, await readStored(parts))
}

/** Throws the reason why dnsdist, or the panel, rejects this configuration. */
export async function assertAccepted(parts: DnsdistParts, config: string): Promise<void> {
  const reached = await checkWith(parts, { config, rules: `error("${includeReached}")` })
  if (reached === undefined)
    throw IncludeMissing(`config: must contain the lines ${includesOf(parts.layout).join(' and ')}`)
  const rules = (await parts.host.files.read(balancerPath(parts.layout))) ?? ''
  const refusal = reached.includes(includeReached) ? await checkWith(parts, { config, rules }) : reached
  if (refusal !== undefined) throw ConfigInvalid(`config: ${refusal}`)
}

/** Writes the configuration, and restarts dnsdist if it runs. */
export async function applyConfig(parts: DnsdistParts, config: string): Promise<void> {
  await assertAccepted(parts, config)
  await replace(parts, parts.layout.configPath, config)
}

/**
 * Start times and the times of files are read from different clocks; a restart takes longer than that after the
 * previous one.
 */
const toleranceMs = 40

/** True if the running dnsdist was started after a file was last put in place; a stopped one serves nothing outdated. */
export async function isServed({ host: { files }, starter }: DnsdistParts, path: string): Promise<boolean> {
  const startedAt = await starter.startedAt()
  return startedAt === undefined || isOlder(files, path, startedAt + toleranceMs)
}

/** True if the running dnsdist serves this balancer, as it says, or as the time of its start tells. */
export async function isBalancerServed(parts: DnsdistParts, balancer: Balancer): Promise<boolean> {
  if (!(await parts.starter.isRunning())) return true
  const generation = await parts.program.generation()
  if (generation === undefined) return isServed(parts, balancerPath(parts.layout))
  return generation === generationOf(balancer)
}

/** Lets dnsdist check a configuration that includes these rules, both beside their destinations. */
async function checkWith(
  parts: DnsdistParts,
  { config, rules }: { readonly config: string; readonly rules: string },
): Promise<string | undefined> {
  const { host, layout, program } = parts
  const rights = await rightsOf(parts)
  await host.files.makeDirectory(layout.directory, { ...rights, mode: 0o750 })
  const included = await host.files.prepare(balancerPath(layout), rules, { rights })
  const text = config.replaceAll(balancerPath(layout), included.preparedPath)
  const checked = await host.files.prepare(layout.configPath, text, { rights })
  try {
    const message = await program.check(checked.preparedPath)
    return message
      ?.replaceAll(checked.preparedPath, layout.configPath)
      .replaceAll(included.preparedPath, balancerPath(layout))
  } finally {
    await checked.discard()
    await included.discard()
  }
}

/**
 * Replaces one file. A running dnsdist takes it as it runs, if it can, and is restarted otherwise; a stopped one reads the
 * file at its next start.
 */
async function replace(
  parts: DnsdistParts,
  path: string,
  content: string,
  takesLive?: () => Promise<boolean>,
): Promise<void> {
  const { host, starter } = parts
  const former = await host.files.read(path)
  const rights = await rightsOf(parts)
  await host.files.write(path, content, { rights })
  if (!(await starter.isRunning()) || (await takesLive?.()) === true) return
  try {
    await starter.act('restart')
  } catch (cause) {
    const message = cause instanceof Problem ? cause.message : String(cause)
    if (former === undefined) await host.files.remove(path)
    else await host.files.write(path, former, { rights })
    await starter.act('restart').catch((error: unknown) => {
      throw RestoreFailed(`dnsdist: ${message}; with the previous files: ${String(error)}`, { cause })
    })
    throw ReloadFailed(`dnsdist: ${message}`, { cause })
  }
}

/** Their names contain a digest of their content: those in use are never written. */
async function writeDatabases(parts: DnsdistParts, { domainLists }: Balancer): Promise<void> {
  const { files } = parts.host
  const rights = await rightsOf(parts)
  await files.makeDirectory(parts.layout.directory, { ...rights, mode: 0o750 })
  for (const list of domainLists) {
    const path = `${parts.layout.directory}/${databaseName(list)}`
    if ((await files.facts(path)) !== undefined) continue
    const names = list.domains.split('\n').flatMap((name) => wireName(name) ?? [])
    await files.write(path, cdbOf(names), { rights })
  }
}

/** Removes the databases of lists that are no longer used. */
export async function removeUnused(
  { host: { files }, layout }: DnsdistParts,
  { domainLists }: StoredBalancer,
) {
  const used = new Set(domainLists.map(({ database }) => database))
  for (const name of await files.list(layout.directory))
    if (name.endsWith('.cdb') && !used.has(name)) await files.remove(`${layout.directory}/${name}`)
}
