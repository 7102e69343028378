import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { mkdir, rename, readdir, readFile } from 'node:fs/promises'
import { type AnyStepKind, change, type Change, step } from '../../../core/change.ts'
import type { Lock } from '../../../core/lock.ts'
import { openDetached } from '../../../host/detached/index.ts'
import { run } from '../../../host/run.ts'
import { openStepPrograms } from '../../../host/step-programs.ts'
import type { Store } from '../../../store/store.ts'
import { openExecutor } from '../../executor.ts'
import { files, fileStep, kindsOf, orderOf, parcelLock, quiet } from '../../testing/parcel.ts'
import type { Clocks } from '../clock.ts'

/** A program of Node that writes a file, or removes it. */
export const restore = `const [, path, text] = process.argv
  if (text === undefined) fs.rmSync(path, { force: true })
  else fs.writeFileSync(path, text)`

/** A step on a file that can be undone without the panel. */
export function armedFile(onHalf?: Parameters<typeof fileStep>[1]): AnyStepKind {
  return {
    ...fileStep('file.write', onHalf),
    armed: ({ path }, before) => [
      process.execPath,
      '-e',
      restore,
      '--',
      path,
      ...(before === null ? [] : [before]),
    ],
  }
}

export interface Trial {
  readonly seconds: number
  readonly directory: string
  readonly kind?: AnyStepKind
  readonly lock?: Lock
}

/** A change of five files and two rows that must be confirmed. */
export function trial(store: Store, { seconds, directory, kind = armedFile(), lock = parcelLock }: Trial) {
  const id = store.nextId('parcels')
  return change({
    summary: 'Try a parcel',
    provisional: seconds,
    locks: [lock],
    steps: files.map(({ name, wanted }) => step(kind, { path: `${directory}/${name}`, text: wanted })),
    rows: [
      { write: 'insert', table: 'parcels', values: { id, label: 'sent', revision: 1 } },
      { write: 'update', table: 'parcels', where: { label: 'counter' }, set: { revision: 2 } },
    ],
    jobs: [{ kind: 'parcel.deliver', input: { id }, ownerId: 1, title: 'Deliver' }],
    reply: ({ confirmation }) => confirmation,
  })
}

/** The clocks of the host, as processes. */
export const realClocks = (directory: string): Clocks =>
  openDetached({ directory, run, programs: openStepPrograms(), isUnit: false })

/** Clocks that strike when a test says so. */
export function handClocks(directory: string) {
  const striking = new Set<string>()
  const strike = async (name: string): Promise<void> => {
    const path = `${directory}/${name}`
    striking.add(name)
    try {
      await rename(`${path}.armed`, `${path}.struck`)
      const commands = (await readdir(`${path}.struck`)).toSorted().toReversed()
      for (const file of commands) {
        runCommand(JSON.parse(await readFile(`${path}.struck/${file}`, 'utf8')))
      }
      await rename(`${path}.struck`, `${path}.done`)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    } finally {
      striking.delete(name)
      ended.add(name)
    }
  }
  const ended = new Set<string>()
  const clocks: Clocks = {
    ...realClocks(directory),
    start: async (name) => void (await mkdir(`${directory}/${name}.armed`, { recursive: true })),
    isRunning: async (name) => striking.has(name) || !ended.has(name),
  }
  return { clocks, strike }
}

/** Restores a file without a process: a test may strike many clocks. */
function runCommand([program, option, script, _end, path = '', text]: readonly [string, ...string[]]): void {
  if (script !== restore) spawnSync(program, option === undefined ? [] : [option])
  else if (text === undefined) rmSync(path, { force: true })
  else writeFileSync(path, text)
}

interface BenchOptions {
  readonly clocks: Clocks
  readonly kind?: AnyStepKind
  readonly onPoint?: (point: string) => void
}

/** An executor with clocks. Nothing is recovered yet. */
export function openTrials(store: Store, { clocks, kind = armedFile(), onPoint }: BenchOptions) {
  const executor = openExecutor({ store, log: quiet, clocks, retryMs: 10, ...(onPoint && { onPoint }) })
  const { endStep } = executor.provisional
  const end = (id: number, by: 'confirmed' | 'cancelled') =>
    executor.execute(
      orderOf(async () => change({ summary: by, steps: [step(endStep, { id, by })], reply: null })),
    )
  return {
    executor,
    carryOut: <Reply>(decide: () => Change<Reply>) => executor.execute(orderOf(async () => decide())),
    try: (directory: string, seconds: number, lock = parcelLock) =>
      executor.execute(orderOf(async () => trial(store, { seconds, directory, kind, lock }))),
    confirm: (id: number) => end(id, 'confirmed'),
    cancel: (id: number) => end(id, 'cancelled'),
    recover: () => executor.recover(kindsOf(kind, endStep)),
  }
}
