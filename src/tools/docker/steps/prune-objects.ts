import type { StepKind } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { finalStep } from '../../../core/steps.ts'
import type { Engine } from '../engine.ts'

/** An object that a clean-up removes. */
export interface UnusedObject {
  readonly kind: 'container' | 'image' | 'network' | 'volume' | 'build cache'
  readonly id: string
  readonly name: string
  /** Bytes that are freed with it. */
  readonly size: number
}

interface PruneArgs {
  readonly objects: readonly UnusedObject[]
}

interface PruneResult {
  readonly removed: UnusedObject[]
  readonly freed: number
}

const paths: Readonly<Record<UnusedObject['kind'], (id: string) => string>> = {
  container: (id) => `/containers/${id}?v=1`,
  image: (id) => `/images/${id}`,
  network: (id) => `/networks/${id}`,
  volume: (id) => `/volumes/${id}`,
  'build cache': () => '/build/prune',
}

/** Removes objects that nothing uses; one that is used by then is left, as the engine refuses it. */
export function pruneObjects(name: string, engine: Engine): StepKind<PruneArgs, null, PruneResult> {
  return finalStep<PruneArgs, null, PruneResult, unknown>({
    name,
    plan: ({ objects }) => ({
      title: `Remove ${objects.length === 1 ? 'an object' : `${objects.length} objects`} that nothing uses`,
      details: [`Frees ${sizeText(sumOf(objects))}`],
      objects: objects.map(({ kind, name: of, size }) => ({
        name: `${kind} ${of}`,
        before: sizeText(size),
        after: null,
      })),
    }),
    why: 'images have to be pulled or built again, and the content of containers and volumes is deleted',
    act: async ({ objects }, { signal, progress }) => {
      const removed: UnusedObject[] = []
      for (const [index, object] of objects.entries()) {
        signal.throwIfAborted()
        progress(Math.floor((index * 100) / objects.length), `Removing the ${object.kind} ${object.name}`)
        if (await isRemoved(engine, object)) removed.push(object)
      }
      return { removed, freed: sumOf(removed) }
    },
    isDone: async () => undefined,
  })
}

/** A refusal of the engine concerns this object alone: it is used by now, or gone. */
async function isRemoved(engine: Engine, { kind, id }: UnusedObject): Promise<boolean> {
  const method = kind === 'build cache' ? 'POST' : 'DELETE'
  try {
    await engine.send({ method, path: paths[kind](encodeURIComponent(id)) })
    return true
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

const sumOf = (objects: readonly UnusedObject[]): number => objects.reduce((sum, { size }) => sum + size, 0)

function sizeText(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes < 1024 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10))
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${units[power]}`
}
