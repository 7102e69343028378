import type { StepKind } from '../../core/change.ts'
import { KeyedMutex } from '../../core/keyed-mutex.ts'
import { poll } from '../../core/poll.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { ConfigRejected, ReloadFailed } from '../../host/apply/problems.ts'
import type { Files, PreparedFile } from '../../host/files.ts'
import type { Host } from '../../host/index.ts'
import type { PhpProgram } from './master.ts'
import {
  logsDirectory,
  type MasterPlace,
  masterPath,
  poolPath,
  poolsDirectory,
  programOf,
  socketOf,
  unitOf,
  unitPath,
} from './pool.ts'
import { generationOf, reloadSeconds, renderMaster, renderUnit } from './render-pool.ts'

/** The pools of sites of one master. */
export interface SetPoolsArgs extends MasterPlace {
  readonly uid: number
  readonly pools: readonly {
    /** The id of the site. */
    readonly id: number
    /** As rendered by `renderPool`; null removes the pool. */
    readonly content: string | null
  }[]
}

export interface PoolParts {
  readonly host: Pick<Host, 'files' | 'services'>
  readonly program: PhpProgram
}

/** The contents of the files by id of the site; null where there is none. */
type PoolsState = Readonly<Record<string, string | null>>

const pollMs = 50
const loadMs = (reloadSeconds + 10) * 1000

/** The step that writes or removes pools of sites, with the master that runs them, which is reloaded once. */
export function setPools(parts: PoolParts): StepKind<SetPoolsArgs, Was<PoolsState>, null> {
  const { files } = parts.host
  const locks = new KeyedMutex<string>()
  return stateStep<SetPoolsArgs, PoolsState>({
    name: 'php.set-pools',
    plan: (args) => ({
      title: titleOf(args),
      objects: args.pools.map(({ id, content }) => ({
        name: poolPath({ ...args, id }),
        before: null,
        after: content,
      })),
      commands: [[programOf(args.version), '--test', '--fpm-config', masterPath(args)]],
    }),
    read: async (args) => {
      const found: Record<string, string | null> = {}
      for (const { id } of args.pools) found[id] = (await files.read(poolPath({ ...args, id }))) ?? null
      return found
    },
    wanted: ({ pools }) => Object.fromEntries(pools.map(({ id, content }) => [id, content])),
    isInEffect: async (args) => {
      for (const { id } of args.pools) {
        const content = await files.read(poolPath({ ...args, id }))
        const wanted = content === undefined ? undefined : generationOf(content)
        if ((await parts.program.served(socketOf({ ...args, id }))) !== wanted) return false
      }
      return true
    },
    write: (args, state = {}) => locks.run(unitOf(args), () => writePools(parts, args, state)),
  })
}

function titleOf({ version, username, pools }: SetPoolsArgs): string {
  const what = pools.length === 1 ? `site ${pools[0]?.id}` : `${pools.length} sites`
  return pools.every(({ content }) => content === null)
    ? `Remove the PHP ${version} pool of ${what}`
    : `Run the PHP ${version} of ${what} as ${username}`
}

const poolFiles = async (files: Files, master: MasterPlace) =>
  (await files.list(poolsDirectory(master))).map((name) => `${poolsDirectory(master)}/${name}`)

async function writePools(parts: PoolParts, master: SetPoolsArgs, state: PoolsState): Promise<void> {
  const { files } = parts.host
  const entries = Object.entries(state).map(([id, content]) => ({
    path: poolPath({ ...master, id: Number(id) }),
    socket: socketOf({ ...master, id: Number(id) }),
    content,
  }))
  const named = new Set(entries.map(({ path }) => path))
  const others = (await poolFiles(files, master)).filter((path) => !named.has(path))
  const written = entries.flatMap(({ path, content }) => (content === null ? [] : [{ path, content }]))
  if (others.length + written.length === 0) return endMaster(parts, master, [...named])
  for (const path of [poolsDirectory(master), logsDirectory]) await files.makeDirectory(path, { mode: 0o750 })
  const prepared: PreparedFile[] = []
  try {
    for (const { path, content } of written)
      prepared.push(await files.prepare(path, content, { rights: { mode: 0o640 } }))
    await assertAccepted(parts, master, [
      ...others.map((path) => files.real(path)),
      ...prepared.map(({ preparedPath }) => preparedPath),
    ])
    await writeMaster(parts, master, [...others, ...written.map(({ path }) => path)])
    for (const each of prepared) await each.commit()
  } catch (error) {
    for (const each of prepared) await each.discard()
    throw error
  }
  for (const { path, content } of entries) if (content === null) await files.remove(path)
  await load(parts, master)
  for (const { socket, content } of entries)
    await served(parts, master, { socket, wanted: content === null ? undefined : generationOf(content) })
}

async function assertAccepted(
  { host: { files }, program }: PoolParts,
  master: SetPoolsArgs,
  paths: readonly string[],
): Promise<void> {
  const candidate = await files.prepare(masterPath(master), renderMaster(master, paths))
  try {
    const refusal = await program.check(master.version, candidate.preparedPath)
    if (refusal !== undefined) throw ConfigRejected(`PHP ${master.version}: ${refusal}`)
  } finally {
    await candidate.discard()
  }
}

async function writeMaster({ host, program }: PoolParts, master: SetPoolsArgs, pools: readonly string[]) {
  const { files } = host
  await files.write(masterPath(master), renderMaster(master, pools.toSorted()))
  const unit = renderUnit(master, master.uid)
  if (!(await program.hasUnits()) || (await files.read(unitPath(master))) === unit) return
  await files.write(unitPath(master), unit)
  await host.services.reloadUnits()
}

async function load({ program }: PoolParts, master: MasterPlace): Promise<void> {
  await ((await program.isRunning(master)) ? program.reload(master) : program.start(master))
}

interface Serving {
  readonly socket: string
  readonly wanted: string | undefined
}

/** A reload is proved by the pool itself, which reports its generation. */
async function served({ program }: PoolParts, master: SetPoolsArgs, { socket, wanted }: Serving) {
  const isServed = async () => ((await program.served(socket)) === wanted ? true : undefined)
  if (await poll(isServed, { limitMs: loadMs, everyMs: pollMs })) return
  throw ReloadFailed(
    `PHP ${master.version}: see ${logsDirectory}/${master.username}-${master.version}.log: ${socket} did not change`,
  )
}

/** php-fpm does not run without a pool. */
async function endMaster({ host, program }: PoolParts, master: SetPoolsArgs, pools: readonly string[]) {
  const { files, services } = host
  if (await program.isRunning(master)) await program.stop(master)
  if ((await files.facts(unitPath(master))) !== undefined) {
    await files.remove(unitPath(master))
    await services.reloadUnits()
  }
  await files.remove(masterPath(master))
  for (const path of pools) await files.remove(path)
  await files.removeDirectory(poolsDirectory(master))
}
