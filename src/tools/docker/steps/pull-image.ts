import type { StepKind, StepRun } from '../../../core/change.ts'
import { Problem } from '../../../core/problem.ts'
import { brokenOff, type Engine } from '../engine.ts'
import { ImageUnavailable } from '../problems.ts'
import { linesOf } from '../lines.ts'
import { type ImageReference, parseReference, registryOf } from '../reference.ts'
import { authHeader, type RequestHeaders, type RegistryCredentials } from '../registry-auth.ts'
import { InspectedImage } from '../shapes.ts'

interface PullArgs {
  readonly image: string
  /** True to ask the registry also if the image is here. */
  readonly isRefreshed?: boolean
  /** Absent for a registry that asks for none. */
  readonly credentials?: RegistryCredentials
}

interface PullBefore {
  /** Null if the host does not have the image. */
  readonly id: string | null
}

/** Downloads an image where it is missing, with the progress of its layers; the undo removes it if nothing uses it. */
export function pullImage(
  name: string,
  engine: Engine,
  /** The engine, asked with headers of their own. */
  engineWith: (headers: RequestHeaders) => Engine,
): StepKind<PullArgs, PullBefore, null> {
  const find = async (image: string) => {
    const found = await engine.find(InspectedImage, `/images/${encodeURIComponent(image)}/json`)
    return found?.Id ?? null
  }
  const outcomeOf = async ({ image, isRefreshed = false, credentials }: PullArgs) => {
    const found = await find(image).catch((error: unknown) => {
      if (error instanceof Problem) return error
      throw error
    })
    if (found instanceof Problem) return found.message
    if (found !== null && !isRefreshed) return 'The host has it'
    return credentials === undefined
      ? 'It is downloaded from its registry'
      : `It is downloaded from ${credentials.registry} as ${credentials.username}`
  }
  return {
    name,
    plan: ({ image }) => ({ title: `Pull the image ${image}` }),
    preview: async (args) => ({ details: [await outcomeOf(args)] }),
    observe: async ({ image }) => ({ id: await find(image) }),
    act: async (args, run) => {
      const { isRefreshed = false, credentials } = args
      const asked = credentials === undefined ? engine : engineWith(authHeader(credentials))
      if (run.before.id === null || isRefreshed) await pull(asked, args, run)
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

async function pull(
  engine: Engine,
  { image, credentials }: PullArgs,
  run: StepRun<PullBefore>,
): Promise<void> {
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
    if (!(error instanceof Problem)) throw brokenOff(error)
    const hint = hintOf(error.message, reference, credentials)
    throw hint === undefined ? error : ImageUnavailable(`${error.message} (${hint})`)
  }
}

const refusals =
  /unauthorized|authentication required|no basic auth credentials|access(?: to the resource is)? denied/i

/** What to do where a registry refuses a caller that it does not know; undefined for any other failure. */
function hintOf(
  message: string,
  reference: ImageReference,
  credentials: RegistryCredentials | undefined,
): string | undefined {
  if (!refusals.test(message)) return undefined
  const registry = registryOf(reference)
  return credentials === undefined
    ? `the panel has no credentials for ${registry}`
    : `${registry} was asked as ${credentials.username}`
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
