import type { StepKind } from '../../../core/change.ts'
import type { Run } from '../../../host/run.ts'
import type { Backups } from '../backup.ts'
import type { Engine } from '../engine.ts'
import { EngineFailed } from '../problems.ts'
import { Inspected } from '../shapes.ts'
import { writeFolder } from './copy-volumes.ts'

interface ReturnArgs {
  /** The full id of the container whose volumes were archived, which does not run. */
  readonly id: string
  readonly name: string
  readonly folder: string
  readonly volumes: readonly { readonly target: string; readonly archive: string }[]
}

interface Parts {
  readonly engine: Engine
  readonly backups: Backups
  readonly run: Run
}

const timeoutMs = 30 * 60_000

/** Changes nothing. Its undo gives the volumes of a container the content of a backup again, which another program has written to meanwhile. */
export function returnVolumes(kind: string, parts: Parts): StepKind<ReturnArgs, null, null> {
  return {
    name: kind,
    plan: ({ name, folder, volumes }) => ({
      title: `Keep ${folder} for a failure`,
      details: volumes.map(
        ({ target }) => `If a later step fails, ${target} of ${name} has the content of the backup again`,
      ),
    }),
    observe: async ({ folder }) => {
      if (!(await parts.backups.isComplete(folder)))
        throw EngineFailed(`The backup ${folder} is not complete`)
      return null
    },
    act: async () => null,
    undo: async (args) => {
      for (const volume of args.volumes) await returnVolume(parts, args, volume)
    },
    check: async () => 'wanted',
    notUndone: 'the volumes have been written to since: restore the backup as a container of its own',
  }
}

async function returnVolume(
  { engine, backups, run }: Parts,
  { id, folder }: ReturnArgs,
  { target, archive }: ReturnArgs['volumes'][number],
): Promise<void> {
  const found = await engine.find(Inspected, `/containers/${encodeURIComponent(id)}/json`)
  if (found === undefined) return // nothing uses the volumes as they were
  const { Source = '', Driver = 'local' } = found.Mounts.find((each) => each.Destination === target) ?? {}
  if (Driver === 'local' && Source.startsWith('/')) {
    // an archive overwrites files, but does not remove those that are new
    const argv = ['find', Source, '-xdev', '-mindepth', '1', '-delete'] as const
    const { code, stderr } = await run(argv, { timeoutMs })
    if (code !== 0) throw EngineFailed(`${target} cannot be emptied: ${stderr.trim().slice(0, 1000)}`)
  }
  const signal = AbortSignal.timeout(timeoutMs)
  await writeFolder(engine, id, target, { stream: backups.read(folder, archive), signal })
}
