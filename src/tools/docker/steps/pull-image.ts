import type { StepKind, StepRun } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import type { Engine } from '../engine.ts'
import { ImageUnavailable, ObjectMissing } from '../problems.ts'
import { linesOf } from '../lines.ts'
import { parseReference } from '../reference.ts'
import { InspectedImage } from '../shapes.ts'

interface PullArgs {
  readonly image: string
  /** True to ask the registry also if the image is here. */
  readonly isRefreshed?: boolean
}

interface PullBefore {
  /** Null if the host does not have the image. */
  readonly id: string | null
}

/** Downloads an image where it is missing, with the progress of its layers; the undo removes it if nothing uses it. */
export function pullImage(name: string, engine: Engine): StepKind<PullArgs, PullBefore, null> {
  const find = async (image: string) => {
    const found = await engine.find(InspectedImage, `/images/${encodeURIComponent(image)}/json`)
    return found?.Id ?? null
  }
  const outcomeOf = async (image: string, isRefreshed: boolean) => {
    const found = await find(image).catch((error: unknown) => {
      if (error instanceof Problem) return error
      throw error
    })
    if (found instanceof Problem) return found.message
    return found !== null && !isRefreshed ? 'The host has it' : 'It is downloaded from its registry'
  }
  return {
    name,
    plan: ({ image }) => ({ title: `Pull the image ${image}` }),
    preview: async ({ image, isRefreshed = false }) => ({ details: [await outcomeOf(image, isRefreshed)] }),
    observe: async ({ image }) => ({ id: await find(image) }),
    act: async ({ image, isRefreshed = false }, run) => {
      if (run.before.id === null || isRefreshed) await pull(engine, image, run)
      return null
    },
    undo: async ({ image }, { id }) => {
      if (id !== null || (await find(image)) === null) return
      await engine.send({ method: 'DELETE', path: `/images/${encodeURIComponent(image)}` }).catch(() => {}) // a container of another change uses it by now
    },
    check: async ({ image }) => ((await find(image)) === null ? 'before' : 'wanted'),
    notUndone: 'other containers may use the image by now',
  }
}

async function pull(engine: Engine, image: string, run: StepRun<PullBefore>): Promise<void> {
  const reference = parseReference(image)
  if (reference === undefined) throw ImageUnavailable(`image: ${image} is not the name of an image`)
  const { repository, tag } = reference
  const query = new URLSearchParams({ fromImage: repository, tag })
  run.progress(null, `Pulling ${image}`)
  const layers = new Map<string, { done: number; total: number }>()
  try {
    const { signal } = run
    const body = await engine.stream({ method: 'POST', path: `/images/create?${query}`, signal })
    for await (const line of linesOf(body, 64 * 1024)) report(image, JSON.parse(line), layers, run)
  } catch (error) {
    if (error instanceof Problem && error.kind === ObjectMissing) throw ImageUnavailable(error.message)
    throw error
  }
}

interface PullLine {
  readonly error?: string
  readonly id?: string
  readonly status?: string
  readonly progressDetail?: { readonly current?: number; readonly total?: number }
}

function report(
  image: string,
  { error, id, status = '', progressDetail = {} }: PullLine,
  layers: Map<string, { done: number; total: number }>,
  { progress }: Pick<StepRun<unknown>, 'progress'>,
): void {
  if (error !== undefined) throw ImageUnavailable(`image: ${image}: ${error.slice(0, 2000)}`)
  const { current, total } = progressDetail
  if (id === undefined || current === undefined || total === undefined || total <= 0) return
  layers.set(id, { done: status === 'Extracting' ? total + current : current, total: 2 * total })
  const sum = (part: 'done' | 'total') => [...layers.values()].reduce((all, each) => all + each[part], 0)
  progress(Math.min(100, Math.floor((sum('done') * 100) / sum('total'))), `${status} ${id} of ${image}`)
}
