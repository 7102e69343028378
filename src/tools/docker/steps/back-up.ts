import type { StepKind } from '../../../core/change.ts'
import type { Backups, Manifest } from '../backup.ts'
import { backupLabel } from '../backup.ts'
import { brokenOff, type Engine } from '../engine.ts'
import { InspectedImage } from '../shapes.ts'
import { readFolder, writeFolder } from './copy-volumes.ts'
import { finalStep } from '../../../core/steps.ts'

interface CommitArgs {
  /** The full id of the container. */
  readonly id: string
  readonly name: string
  readonly repository: string
  readonly tag: string
}

/** Makes an image of a container's files, marked as a backup; the undo removes it. */
export function commitContainer(kind: string, engine: Engine): StepKind<CommitArgs, null, null> {
  const imageOf = ({ repository, tag }: CommitArgs) => `${repository}:${tag}`
  const find = (args: CommitArgs) => engine.find(InspectedImage, `/images/${imageOf(args)}/json`)
  return {
    name: kind,
    plan: (args) => ({
      title: `Make the image ${imageOf(args)} of the container ${args.name}`,
      objects: [{ name: imageOf(args), before: null, after: 'an image' }],
    }),
    observe: async () => null,
    act: async ({ id, name, repository, tag }) => {
      const query = new URLSearchParams({
        container: id,
        repo: repository,
        tag,
        pause: '0', // the change has paused it
        changes: `LABEL ${backupLabel}=${name}`,
      })
      await engine.send({ method: 'POST', path: `/commit?${query}`, body: {} })
      return null
    },
    undo: async (args) => {
      if (await find(args)) await engine.send({ method: 'DELETE', path: `/images/${imageOf(args)}` })
    },
    check: async (args) => ((await find(args)) === undefined ? 'before' : 'wanted'),
    notUndone: 'a backup is removed by its name',
  }
}

interface ArchiveArgs {
  readonly id: string
  readonly folder: string
  readonly manifest: Manifest
}

/** Archives the volumes of a container and writes down its settings; the undo removes the folder. */
export function archiveVolumes(
  kind: string,
  engine: Engine,
  backups: Backups,
): StepKind<ArchiveArgs, null, null> {
  return {
    name: kind,
    plan: ({ manifest, folder }) => ({
      title: `Archive the volumes of ${manifest.name} to ${folder}`,
      details: manifest.volumes.map(({ target, archive }) =>
        archive === null ? `${target} is a folder of the host: left out` : `The content of ${target}`,
      ),
    }),
    observe: async () => null,
    act: async ({ id, folder, manifest }, { signal, progress }) => {
      await backups.make(folder)
      for (const { target, archive } of manifest.volumes) {
        if (archive === null) continue
        progress(null, `Archiving ${target}`)
        const source = await readFolder(engine, id, target, signal)
        await backups.store(folder, archive, source, signal).catch((error: unknown) => {
          throw brokenOff(error)
        })
      }
      await backups.writeManifest(folder, manifest)
      return null
    },
    undo: ({ folder }) => backups.remove(folder),
    check: async ({ folder }) => {
      if (await backups.isComplete(folder)) return 'wanted'
      return (await backups.isThere(folder)) ? 'other' : 'before'
    },
    notUndone: 'a backup is removed by its name',
  }
}

interface RestoreArgs {
  /** The id or name of a new container. */
  readonly to: string
  readonly folder: string
  readonly volumes: readonly { readonly target: string; readonly archive: string }[]
}

/** Extracts the archives of a backup to the volumes of a new container. */
export function restoreVolumes(
  kind: string,
  engine: Engine,
  backups: Backups,
): StepKind<RestoreArgs, null, null> {
  return finalStep<RestoreArgs, null, null, unknown>({
    name: kind,
    plan: ({ to, folder, volumes }) => ({
      title: `Fill the volumes of ${to} from ${folder}`,
      details: volumes.map(({ target }) => `The content of ${target}`),
    }),
    why: 'the volumes may have been written to since',
    act: async ({ to, folder, volumes }, { signal, progress }) => {
      for (const { target, archive } of volumes) {
        progress(null, `Restoring ${target}`)
        const stream = backups.read(folder, archive)
        await writeFolder(engine, to, target, { stream, signal })
      }
      return null
    },
    isDone: async () => undefined, // a part may be there: the new container is removed again
  })
}
