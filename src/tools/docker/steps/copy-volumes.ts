import { posix } from 'node:path'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import { brokenOff, type Engine } from '../engine.ts'

interface CopyArgs {
  /** The id or name of the container whose volumes are read. */
  readonly from: string
  /** That of the container whose volumes are written: a new one. */
  readonly to: string
  /** Where the volumes are mounted in both. */
  readonly targets: readonly string[]
}

const tar = 'application/x-tar'

/** Reads a folder of a container as a tar archive, in which the folder is the first entry. */
export const readFolder = (
  engine: Engine,
  id: string,
  path: string,
  signal: AbortSignal,
): Promise<Readable> =>
  engine.stream({
    method: 'GET',
    path: `/containers/${encodeURIComponent(id)}/archive?${new URLSearchParams({ path })}`,
    signal,
  })

/** Extracts such an archive to the folder of another container, with its owners and rights. */
export async function writeFolder(
  engine: Engine,
  id: string,
  path: string,
  { stream, signal }: { readonly stream: Readable; readonly signal: AbortSignal },
): Promise<void> {
  const query = new URLSearchParams({ path: posix.dirname(path) })
  const reply = await engine.stream({
    method: 'PUT',
    path: `/containers/${encodeURIComponent(id)}/archive?${query}`,
    content: { type: tar, stream },
    signal,
  })
  reply.resume()
}

/** Copies the content of volumes from one container to a new one. */
export function copyVolumes(kind: string, engine: Engine): StepKind<CopyArgs, null, null> {
  return finalStep<CopyArgs, null, null, unknown>({
    name: kind,
    plan: ({ from, targets }) => ({
      title: `Copy the volumes of ${from}`,
      details: targets.map((target) => `The content of ${target}`),
    }),
    why: 'the copy may have been written to since',
    act: async ({ from, to, targets }, { signal, progress }) => {
      for (const [index, target] of targets.entries()) {
        progress(Math.floor((index * 100) / targets.length), `Copying ${target}`)
        const source = await readFolder(engine, from, target, signal)
        const stream = new PassThrough()
        await Promise.all([
          pipeline(source, stream, { signal }),
          writeFolder(engine, to, target, { stream, signal }),
        ]).catch((error: unknown) => {
          throw brokenOff(error)
        })
      }
      return null
    },
    isDone: async () => undefined, // a part may be there: the new container is removed again
  })
}
