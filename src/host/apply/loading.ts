import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Files } from '../files.ts'
import type { Run } from '../run.ts'
import type { EditedTool } from './edited-tool.ts'
import type { Proof } from './proof.ts'
import type { Activation, Candidate, OwnedTool } from './tool.ts'

/** How a program checks and loads its configuration, whichever of its files has changed. */
export interface Loading {
  /** The directories of its owned files. */
  readonly directories?: readonly string[]
  /** The checker as plans show it. */
  readonly checkCommand: readonly string[]
  /** Runs the program's own checker on candidates, and returns its message if it rejects them. */
  readonly check: (candidates: readonly Candidate[]) => Promise<string | undefined>
  /** Commands that build from the files what the program reads, such as `update-exim4.conf`; run before each reload. */
  readonly regenerate?: readonly (readonly [string, ...string[]])[]
  /** Reloads the program and proves that it has loaded its files. */
  readonly proof: Proof
}

interface Parts {
  readonly name: string
  readonly files: Files
  readonly run: Run
  readonly loading: Loading
  readonly assertAvailable: () => Promise<void>
}

/** Returns the program as the tool that `host.apply` uses for its owned files. */
export function ownedTool(parts: Parts): OwnedTool {
  const { name, files, loading, assertAvailable } = parts
  const { generation } = loading.proof
  return {
    name,
    kind: 'owned',
    directories: [...(loading.directories ?? []), dirname(generation.path)],
    checkCommand: loading.checkCommand,
    assertAvailable,
    check: async (candidates) => {
      await files.makeDirectory(dirname(generation.path))
      // the generation to go back to if the first one is refused
      if ((await files.facts(generation.path)) === undefined)
        await files.write(generation.path, generation.render('none'))
      return loading.check(candidates)
    },
    activate: (wanted) => activate(parts, wanted),
    isServed: async () =>
      !(await loading.proof.isRunning()) || (await loading.proof.hasLoaded(generation.path)),
    generation,
  }
}

/** Returns the program as the tool that `host.applyEdit` uses for one of its edited files. */
export function editedTool(parts: Parts, path: string): EditedTool {
  const { name, files, loading, assertAvailable } = parts
  const { generation, isRunning, hasLoaded } = loading.proof
  return {
    name,
    kind: 'edited',
    path,
    checkCommand: loading.checkCommand,
    assertAvailable,
    check: async (preparedPath) =>
      loading.check([{ path, preparedPath, content: await readFile(preparedPath, 'utf8') }]),
    activate: async () => {
      const wanted = randomUUID()
      await files.makeDirectory(dirname(generation.path))
      await files.write(generation.path, generation.render(wanted))
      return activate(parts, wanted)
    },
    isServed: async () => !(await isRunning()) || (await hasLoaded(path)),
  }
}

const regenerateMs = 60_000

/** A stopped program is not started: its files apply when it is. */
async function activate({ run, loading }: Parts, wanted: string): Promise<Activation> {
  for (const command of loading.regenerate ?? []) {
    const { code, stdout, stderr } = await run(command, { timeoutMs: regenerateMs, maxBytes: 64 * 1024 })
    if (code === 0) continue
    const message = stderr.trim() || stdout.trim() || `exit status ${code}`
    return { outcome: 'refused', message: `${command[0]}: ${message.slice(0, 2000)}` }
  }
  if (!(await loading.proof.isRunning())) return { outcome: 'stopped', message: '' }
  const refusal = await loading.proof.load(wanted)
  return refusal === undefined
    ? { outcome: 'live', message: '' }
    : { outcome: 'refused', message: refusal.slice(0, 2000) }
}

/** Checks each candidate with a command that is given the path of the candidate, as by `haproxy -c -f PATH`. */
export function checkEach(
  run: Run,
  commandOn: (path: string) => readonly [string, ...string[]],
): Loading['check'] {
  return async (candidates) => {
    for (const { path, preparedPath } of candidates) {
      if (preparedPath === undefined) continue
      const { code, stdout, stderr } = await run(commandOn(preparedPath), {
        timeoutMs: 60_000,
        maxBytes: 64 * 1024,
      })
      const message = stderr.trim() || stdout.trim() || `exit status ${code}`
      if (code !== 0) return message.replaceAll(preparedPath, path)
    }
    return undefined
  }
}
