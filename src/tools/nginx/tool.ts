import type { Activation, Candidate, OwnedTool } from '../../host/apply/tool.ts'
import type { Files } from '../../host/files.ts'
import { poll } from '../../core/poll.ts'
import { Unavailable } from '../../core/problem.ts'
import type { NginxLayout } from './layout.ts'
import type { Mount, NginxProgram } from './program.ts'
import { parseGeneration, renderGeneration } from './render-own.ts'

/** Starts nginx, and reports if an administrator stopped it on purpose. */
export interface NginxStarter {
  start(): Promise<void>
  isStoppedOnPurpose(): Promise<boolean>
  /** True if another web server serves in its place; absent where there is none. */
  isReplaced?(): Promise<boolean>
}

interface NginxParts {
  readonly files: Files
  readonly layout: NginxLayout
  readonly program: NginxProgram
  readonly starter: NginxStarter
}

const activateMs = 2000
/** A master that cannot bind retries for 2.5 s, and handles nothing else in the meantime. */
const afterRefusalMs = 5000
const pollMs = 20

/** Returns nginx as the tool that `host.apply` uses. */
export function nginxTool(parts: NginxParts): OwnedTool {
  const { layout, program } = parts
  const activate = openActivation(parts)
  return {
    name: 'nginx',
    kind: 'owned',
    directories: [layout.sitesDirectory, layout.directory, dirnameOf(layout.ownConfigPath)],
    assertAvailable: () => assertAvailable(parts),
    check: async (candidates) => {
      const { message, durationMs } = await checkCandidates(parts, candidates)
      activate.expect(durationMs)
      return message
    },
    checkCommand: ['nginx', '-t', '-c', layout.configPath],
    activate: activate.to,
    isServed: () => isServed(parts),
    generation: {
      path: layout.generationPath,
      render: renderGeneration,
      parse: parseGeneration,
      served: program.served,
    },
  }
}

/** Files that another web server does not read are not in effect: a change that wrote them is not undone by its id any more. */
async function isServed({ files, layout, program, starter }: NginxParts): Promise<boolean> {
  if ((await program.master()) === undefined) return !((await starter.isReplaced?.()) ?? false)
  const generation = await files.read(layout.generationPath)
  return generation !== undefined && (await program.served()) === parseGeneration(generation)
}

async function assertAvailable({ files, layout, program }: NginxParts): Promise<void> {
  if ((await program.version()) === undefined) throw Unavailable('nginx is not installed')
  if ((await files.facts(layout.slotPath)) === undefined)
    throw Unavailable('nginx is not set up for the panel')
}

async function checkCandidates({ files, layout, program }: NginxParts, candidates: readonly Candidate[]) {
  const empty = await files.prepare(layout.slotPath, '')
  const fresh: Candidate[] = []
  const mounts: Mount[] = []
  for (const candidate of candidates) {
    const exists = (await files.facts(candidate.path)) !== undefined
    if (exists)
      mounts.push({
        source: candidate.preparedPath ?? empty.preparedPath,
        target: files.real(candidate.path),
      })
    if (!exists && candidate.preparedPath !== undefined) fresh.push(candidate)
  }
  const slot = await files.prepare(
    layout.slotPath,
    fresh.map((each) => `include "${each.preparedPath}";\n`).join(''),
  )
  try {
    mounts.push({ source: slot.preparedPath, target: files.real(layout.slotPath) })
    const { isAccepted, message, durationMs } = await program.check(mounts)
    return {
      message: isAccepted ? takenName(message, candidates) : message || 'nginx -t failed without a message',
      durationMs,
    }
  } finally {
    await slot.discard()
    await empty.discard()
  }
}

/** nginx only warns about two servers with the same name, and never serves one of the two sites. */
function takenName(message: string, candidates: readonly Candidate[]): string | undefined {
  const own = new Set(candidates.flatMap((each) => (each.content ?? '').split(/[\s;]+/)))
  const lines = message
    .split('\n')
    .filter((line) => own.has(/conflicting server name "([^"]+)"/.exec(line)?.[1] ?? '\n'))
  return lines.length === 0 ? undefined : lines.join('\n')
}

/**
 * Loads a generation and waits until nginx serves it. Remembers how long loading takes, and if the master may
 * still be busy with a refused configuration.
 */
function openActivation({ layout, program, starter }: NginxParts) {
  let readingMs = 0
  let isAfterRefusal = false
  const to = async (generation: string): Promise<Activation> => {
    const mark = await program.logMark()
    const master = await program.master()
    if (master === undefined && (await starter.isStoppedOnPurpose()))
      return { outcome: 'stopped', message: '' }
    const outgoing = master === undefined ? [] : await program.workers(master)
    if (master === undefined) await startAfresh()
    else program.signalReload(master)
    const limitMs = 2 * readingMs + (isAfterRefusal ? afterRefusalMs : activateMs)
    const ask = async () => {
      if (await isServing(generation, outgoing)) return 'yes'
      return !isAfterRefusal && (await program.errorsSince(mark)).length > 0 ? 'no' : undefined
    }
    const isServed = await poll(ask, { limitMs, everyMs: pollMs })
    isAfterRefusal = isServed !== 'yes'
    if (isServed === 'yes') return { outcome: 'live', message: '' }
    const message = [...new Set(await program.errorsSince(mark))].join('\n')
    return {
      outcome: 'refused',
      message:
        message ||
        `nginx kept its old configuration for ${Math.round(limitMs)} ms; ${layout.errorLogPath} does not say why`,
    }
  }
  const startAfresh = async () => {
    await program.removeStaleSocket()
    await starter.start()
  }
  /**
   * The old workers accept connections until they are told to quit: only then does every visitor see the new
   * generation.
   */
  const isServing = async (generation: string, outgoing: readonly number[]) => {
    if ((await program.served()) !== generation) return false
    const master = await program.master()
    const taking = master === undefined ? [] : await program.workers(master)
    return !taking.some((worker) => outgoing.includes(worker))
  }
  const expect = (durationMs: number) => {
    readingMs = Math.max(durationMs, readingMs / 2)
  }
  return { to, expect }
}

function dirnameOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
