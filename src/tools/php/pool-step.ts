import type { StepKind } from '../../core/change.ts'
import { KeyedMutex } from '../../core/keyed-mutex.ts'
import { poll } from '../../core/poll.ts'
import { stateStep, type Was } from '../../core/steps.ts'
import { ConfigRejected, ReloadFailed } from '../../host/apply/problems.ts'
import type { Files } from '../../host/files.ts'
import type { Host } from '../../host/index.ts'
import type { PhpProgram } from './master.ts'
import {
  logsDirectory,
  type MasterPlace,
  masterPath,
  poolPath,
  type PoolPlace,
  poolsDirectory,
  programOf,
  socketOf,
  unitOf,
  unitPath,
} from './pool.ts'
import { generationOf, reloadSeconds, renderMaster, renderUnit } from './render-pool.ts'

export interface SetPoolArgs extends PoolPlace {
  readonly uid: number
  /** As rendered by `renderPool`; null removes the pool. */
  readonly content: string | null
}

export interface PoolParts {
  readonly host: Pick<Host, 'files' | 'services'>
  readonly program: PhpProgram
}

interface PoolState {
  readonly pool: string
}

const pollMs = 50
const loadMs = (reloadSeconds + 10) * 1000

/** The step that writes or removes the pool of a site, with the master that runs it. */
export function setPool(parts: PoolParts): StepKind<SetPoolArgs, Was<PoolState>, null> {
  const { files } = parts.host
  const locks = new KeyedMutex<string>()
  return stateStep<SetPoolArgs, PoolState>({
    name: 'php.set-pool',
    plan: ({ content, ...pool }) => ({
      title:
        content === null
          ? `Remove the PHP ${pool.version} pool of site ${pool.id}`
          : `Run the PHP ${pool.version} of site ${pool.id} as ${pool.username}`,
      objects: [{ name: poolPath(pool), before: null, after: content }],
      commands: [[programOf(pool.version), '--test', '--fpm-config', masterPath(pool)]],
    }),
    read: async (args) => {
      const pool = await files.read(poolPath(args))
      return pool === undefined ? undefined : { pool }
    },
    wanted: ({ content }) => (content === null ? undefined : { pool: content }),
    isInEffect: async (args) => {
      const content = await files.read(poolPath(args))
      const wanted = content === undefined ? undefined : generationOf(content)
      return (await parts.program.served(socketOf(args))) === wanted
    },
    write: (args, state) =>
      locks.run(unitOf(args), () =>
        state === undefined ? removePool(parts, args) : writePool(parts, args, state.pool),
      ),
  })
}

const poolFiles = async (files: Files, master: MasterPlace) =>
  (await files.list(poolsDirectory(master))).map((name) => `${poolsDirectory(master)}/${name}`)

async function writePool(parts: PoolParts, args: SetPoolArgs, content: string): Promise<void> {
  const { host, program } = parts
  const { files } = host
  for (const path of [poolsDirectory(args), logsDirectory]) await files.makeDirectory(path, { mode: 0o750 })
  const prepared = await files.prepare(poolPath(args), content, { rights: { mode: 0o640 } })
  try {
    const others = (await poolFiles(files, args)).filter((path) => path !== poolPath(args))
    const paths = [...others.map((path) => files.real(path)), prepared.preparedPath]
    const candidate = await files.prepare(masterPath(args), renderMaster(args, paths))
    try {
      const refusal = await program.check(args.version, candidate.preparedPath)
      if (refusal !== undefined) throw ConfigRejected(`PHP ${args.version}: ${refusal}`)
    } finally {
      await candidate.discard()
    }
    await writeMaster(parts, args, [...others, poolPath(args)])
    await prepared.commit()
  } catch (error) {
    await prepared.discard()
    throw error
  }
  await load(parts, args)
  await served(parts, args, generationOf(content))
}

async function writeMaster({ host, program }: PoolParts, args: SetPoolArgs, pools: readonly string[]) {
  const { files } = host
  await files.write(masterPath(args), renderMaster(args, pools.toSorted()))
  const unit = renderUnit(args, args.uid)
  if (!(await program.hasUnits()) || (await files.read(unitPath(args))) === unit) return
  await files.write(unitPath(args), unit)
  await host.services.reloadUnits()
}

async function load({ program }: PoolParts, master: MasterPlace): Promise<void> {
  await ((await program.isRunning(master)) ? program.reload(master) : program.start(master))
}

/** A reload is proved by the pool itself, which reports its generation. */
async function served({ program }: PoolParts, args: SetPoolArgs, wanted: string | undefined) {
  const isServed = async () => ((await program.served(socketOf(args))) === wanted ? true : undefined)
  if (await poll(isServed, { limitMs: loadMs, everyMs: pollMs })) return
  throw ReloadFailed(
    `PHP ${args.version}: see ${logsDirectory}/${args.username}-${args.version}.log: the pool of site ${args.id} did not change`,
  )
}

async function removePool(parts: PoolParts, args: SetPoolArgs): Promise<void> {
  const { host, program } = parts
  const { files } = host
  const others = (await poolFiles(files, args)).filter((path) => path !== poolPath(args))
  if (others.length > 0) {
    await writeMaster(parts, args, others)
    await files.remove(poolPath(args))
    await load(parts, args)
    return served(parts, args, undefined)
  }
  if (await program.isRunning(args)) await program.stop(args) // php-fpm does not run without a pool
  if ((await files.facts(unitPath(args))) !== undefined) {
    await files.remove(unitPath(args))
    await host.services.reloadUnits()
  }
  await files.remove(masterPath(args))
  await files.remove(poolPath(args))
  await files.removeDirectory(poolsDirectory(args))
}
