import { poll } from '../../core/poll.ts'
import { Unavailable } from '../../core/problem.ts'
import type { Activation, Candidate, OwnedTool } from '../../host/apply/tool.ts'
import type { Files } from '../../host/files.ts'
import { logDirectory } from '../nginx/layout.ts'
import type { Mount } from '../nginx/program.ts'
import type { ApacheLayout } from './layout.ts'
import { type ApacheProgram, checkCommand } from './program.ts'
import { parseGeneration, renderGeneration } from './render-own.ts'
import { takenNames } from './taken-names.ts'

/** Starts and reloads Apache, and reports if it was stopped on purpose. */
export interface ApacheStarter {
  start(): Promise<void>
  /** Gracefully; fails with Apache's message if the configuration is not valid. */
  reload(): Promise<void>
  isStoppedOnPurpose(): Promise<boolean>
  /** True if nginx serves in its place. */
  isReplaced(): Promise<boolean>
}

interface Parts {
  readonly files: Files
  readonly layout: ApacheLayout
  readonly program: ApacheProgram
  readonly starter: ApacheStarter
}

const activateMs = 20_000
const pollMs = 50
/** Processes of the former generation accept connections for a moment after the first of the new one does. */
const answersInARow = 3

/** Returns Apache as the tool that `host.apply` uses. */
export function apacheTool(parts: Parts): OwnedTool {
  const { layout, program } = parts
  return {
    name: 'apache',
    kind: 'owned',
    directories: [layout.sitesDirectory, layout.directory, dirnameOf(layout.ownConfigPath)],
    assertAvailable: () => assertAvailable(parts),
    check: (candidates) => checkCandidates(parts, candidates),
    checkCommand: [...checkCommand(layout)],
    activate: (generation) => activate(parts, generation),
    isServed: async () => {
      // files that the other web server does not read are not in effect
      if (!(await program.isRunning())) return !(await parts.starter.isReplaced())
      const generation = await parts.files.read(layout.generationPath)
      return generation !== undefined && (await program.served()) === parseGeneration(generation)
    },
    generation: {
      path: layout.generationPath,
      render: renderGeneration,
      parse: parseGeneration,
      served: program.served,
    },
  }
}

async function assertAvailable({ files, layout, program }: Parts): Promise<void> {
  if ((await program.version()) === undefined) throw Unavailable('Apache is not installed')
  if ((await files.facts(layout.slotPath)) === undefined)
    throw Unavailable('Apache is not set up for the panel')
}

async function checkCandidates(
  { files, layout, program }: Parts,
  candidates: readonly Candidate[],
): Promise<string | undefined> {
  await makeLogDirectories(files, layout, candidates)
  // Apache refuses a runtime directory that is missing, as it is after a restart of the host on which it rests
  await files.makeDirectory(layout.runDirectory)
  const empty = await files.prepare(layout.slotPath, '')
  const fresh: string[] = []
  const mounts: Mount[] = []
  for (const { path, preparedPath } of candidates) {
    const exists = (await files.facts(path)) !== undefined
    if (exists) mounts.push({ source: preparedPath ?? empty.preparedPath, target: files.real(path) })
    if (!exists && preparedPath !== undefined) fresh.push(preparedPath)
  }
  const slot = await files.prepare(layout.slotPath, fresh.map((path) => `Include "${path}"\n`).join(''))
  try {
    mounts.push({ source: slot.preparedPath, target: files.real(layout.slotPath) })
    const { isAccepted, message, hosts } = await program.check(mounts)
    return isAccepted ? takenNames(hosts, candidates) : message || 'apache2ctl -t failed without a message'
  } finally {
    await slot.discard()
    await empty.discard()
  }
}

/** Loads a generation, and waits until new connections are answered by it. */
async function activate({ files, layout, program, starter }: Parts, generation: string): Promise<Activation> {
  const isRunning = await program.isRunning()
  if (!isRunning && (await starter.isStoppedOnPurpose())) return { outcome: 'stopped', message: '' }
  await makeLogDirectories(files, layout)
  await (isRunning ? starter.reload() : starter.start())
  const isServed = await poll(async () => ((await answers(program, generation)) ? true : undefined), {
    limitMs: activateMs,
    everyMs: pollMs,
  })
  if (isServed) return { outcome: 'live', message: '' }
  const seconds = Math.round(activateMs / 1000)
  return {
    outcome: 'refused',
    message: `Apache kept its old configuration for ${seconds} s; ${layout.errorLogPath} may say why`,
  }
}

async function answers({ served }: ApacheProgram, generation: string): Promise<boolean> {
  for (let count = 0; count < answersInARow; count += 1) if ((await served()) !== generation) return false
  return true
}

/** Apache ends where it cannot open a log, and refuses a file whose directory of logs is missing. */
async function makeLogDirectories(
  files: Files,
  { sitesDirectory, slotPath, shared }: ApacheLayout,
  candidates: readonly Candidate[] = [],
): Promise<void> {
  const names = await files.list(sitesDirectory)
  const live = names.map((name) => `${sitesDirectory}/${name}`).filter((path) => path !== slotPath)
  const wanted = new Map(candidates.map(({ path, content }) => [path, content]))
  for (const path of new Set([...live, ...wanted.keys()])) {
    const domain = /^.*\/([^/]+)\.conf$/.exec(path)?.[1]
    if (domain === undefined || !path.startsWith(`${sitesDirectory}/`)) continue
    const directory = `${shared.logsDirectory}/${domain}`
    if ((await files.facts(directory)) !== undefined) continue
    const content = wanted.has(path) ? wanted.get(path) : await files.read(path)
    if (content?.includes(directory)) await files.makeDirectory(logDirectory(shared, domain), { mode: 0o751 })
  }
}

function dirnameOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
