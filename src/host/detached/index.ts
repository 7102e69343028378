import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { nameDiskFailure } from '../../core/disk.ts'
import { stepVariable } from '../../core/acting.ts'
import { poll } from '../../core/poll.ts'
import { hasUnits } from '../lasting.ts'
import { cleanEnvironment, type Run } from '../run.ts'
import type { StepPrograms } from '../step-programs.ts'

type Argv = readonly [string, ...string[]]

/** The winner of a clock that has not struck. */
export type ClockEnd = 'confirmed' | 'cancelled' | 'undone'

/** Each state follows only those before it: a clock that moves on while they are tried is met later. */
const states = ['setting', 'armed', 'struck', 'done', 'confirmed', 'cancelled', 'undone'] as const

/** Struck: its commands run. Done: they have ended. */
export type ClockState = (typeof states)[number]

/**
 * Programs that run at a deadline without the panel, unless they are disarmed before: also if the panel was
 * killed. The state of a clock is the name of its directory, so that a rename decides who was first.
 */
export interface Detached {
  /** Starts the clock of this name; it runs when this returns. */
  start(name: string, deadline: Date): Promise<void>
  /** Adds a command. At the deadline the one of the highest index runs first. False if the clock has struck. */
  arm(name: string, index: number, argv: Argv): Promise<boolean>
  /** Ends the clock before it strikes; false if it has struck. */
  disarm(name: string, by: ClockEnd): Promise<boolean>
  /** Undefined if there is no such clock. */
  state(name: string): Promise<ClockState | undefined>
  /** True if its process, or a command that it started, still runs. */
  isRunning(name: string): Promise<boolean>
  /** Forgets a clock that has ended. */
  remove(name: string): Promise<void>
  /** The names of all clocks. */
  names(): Promise<readonly string[]>
}

interface DetachedOptions {
  /** The directory of the clocks. Without one none can be started. */
  readonly directory: string | undefined
  readonly run: Run
  readonly programs: StepPrograms
  /** True if a clock gets a unit of systemd. */
  readonly isUnit?: boolean
}

/** Opens the clocks of this host. */
export function openDetached(options: DetachedOptions): Detached {
  const { directory, programs } = options
  const pathOf = (name: string) => join(directory ?? '', name)
  const stateOf = (name: string, state: ClockState) => `${pathOf(name)}.${state}`
  return {
    start: (name, deadline) => start(options, name, deadline),
    arm: async (name, index, argv) => {
      const path = join(stateOf(name, 'armed'), String(index))
      return ifPresent(async () => {
        await writeFile(`${path}.new`, JSON.stringify(argv), { mode: 0o600 })
        await rename(`${path}.new`, `${path}.json`)
      })
    },
    disarm: (name, by) => ifPresent(() => rename(stateOf(name, 'armed'), stateOf(name, by))),
    state: async (name) => {
      for (const state of states) if (await isPresent(stateOf(name, state))) return state
      return undefined
    },
    isRunning: (name) => programs.isRunning(tokenOf(pathOf(name))),
    remove: async (name) => {
      // one that was disarmed would wait until the deadline, and find nothing
      void programs.end(tokenOf(pathOf(name))).catch(() => {})
      for (const state of states) await rm(stateOf(name, state), { recursive: true, force: true })
    },
    names: async () => {
      if (directory === undefined || !existsSync(directory)) return []
      const found = await readdir(directory)
      return [...new Set(found.map((name) => name.slice(0, name.lastIndexOf('.'))))]
    },
  }
}

const startMs = 10_000
/** The clocks of two panels of one host may have the same name. */
const tokenOf = (path: string): string => `clock:${path}`

async function start(options: DetachedOptions, name: string, deadline: Date): Promise<void> {
  const { directory, isUnit = hasUnits() } = options
  if (directory === undefined) throw new Error('the panel has no data directory for clocks')
  const path = join(directory, name)
  const unnamed = (error: unknown) => {
    throw nameDiskFailure(error, directory)
  }
  await mkdir(directory, { recursive: true, mode: 0o700 }).catch(unnamed)
  await mkdir(`${path}.setting`, { mode: 0o700 }).catch(unnamed)
  const argv: Argv = [process.execPath, clockProgram(), path, String(deadline.getTime())]
  const env = { ...cleanEnvironment, [stepVariable]: tokenOf(path) }
  const failure = isUnit
    ? await startUnit(options.run, argv, { unit: unitOf(directory, name), env })
    : startSession(argv, env)
  const isArmed = async () => ((await isPresent(`${path}.armed`)) ? true : undefined)
  if (failure === undefined && (await poll(isArmed, { limitMs: startMs, everyMs: 5 }))) return
  // a clock that starts after this rename ends at once
  const isWithdrawn = await ifPresent(() => rename(`${path}.setting`, `${path}.undone`))
  if (isWithdrawn) throw new Error(`the clock ${name} did not start${failure ? `: ${failure}` : ''}`)
}

/** Next to the bundle, or the source itself. */
function clockProgram(): string {
  const bundled = join(import.meta.dirname, 'detached-clock.mjs')
  return existsSync(bundled) ? bundled : join(import.meta.dirname, 'clock.ts')
}

const unitOf = (directory: string, name: string): string =>
  `hostreeve-clock-${createHash('sha256').update(directory).digest('hex').slice(0, 8)}-${name}`

interface Unit {
  readonly unit: string
  readonly env: Readonly<Record<string, string>>
}

/** A process in the panel's unit would be ended with the panel. Returns the reason if it could not be started. */
async function startUnit(run: Run, argv: Argv, { unit, env }: Unit): Promise<string | undefined> {
  const variables = Object.entries(env).map(([variable, value]) => `--setenv=${variable}=${value}`)
  const options = ['--collect', '--property=Type=exec', `--unit=${unit}`]
  const { code, stderr } = await run(['systemd-run', '--quiet', ...options, ...variables, '--', ...argv])
  return code === 0 ? undefined : stderr.trim().slice(0, 500) || `systemd-run: exit status ${code}`
}

/** Its own session, without an open file of the panel: neither the panel's end nor that of its terminal reaches it. */
function startSession([program, ...args]: Argv, env: Unit['env']): undefined {
  const child = spawn(program, args, { cwd: '/', env, stdio: 'ignore', detached: true })
  child.on('error', () => {}) // it is noticed as it is not armed in time
  child.unref()
}

/** Returns false if a file that it needs is missing. */
async function ifPresent(act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

const isPresent = (path: string): Promise<boolean> => ifPresent(async () => void (await lstat(path)))
