import type { Files } from '../files.ts'
import { ReloadFailed, RestoreFailed } from './problems.ts'
import {
  compose,
  editedByHand,
  nextGeneration,
  type PreparedCandidate,
  type PreparedRequest,
  type Request,
  type Snapshot,
} from './request.ts'
import type { Activation, OwnedTool } from './tool.ts'

/** Puts accepted requests in place and activates them. Returns the groups to retry separately, if they were rejected together. */
export async function commitEdits(
  files: Files,
  tool: OwnedTool,
  snapshot: Snapshot,
  accepted: readonly PreparedRequest[],
): Promise<readonly (readonly Request[])[]> {
  const untouched = await rejectThoseEditedMeanwhile(files, snapshot, accepted)
  const requests = untouched.map((each) => each.request)
  if (untouched.length < accepted.length) return [requests] // requests that were composed on the rejected ones must be checked again
  if (untouched.length === 0) return []
  const candidates = compose(untouched)
  const previous = await readGeneration(files, tool)
  if (candidates.length === 0 && previous !== undefined) {
    await confirmServed(tool, previous, requests)
    return []
  }
  const generation = nextGeneration(previous, candidates)
  const back = await place(files, tool, generation, candidates)
  const activation = await activate(tool, generation)
  if (activation.outcome !== 'refused') {
    await back.forget()
    for (const each of untouched)
      each.request.resolve({
        isChanged: each.candidates.length > 0,
        generation,
        isLive: activation.outcome === 'live',
      })
    return []
  }
  await goBack(tool, previous, activation, back)
  if (requests.length > 1) return halves(requests)
  throw ReloadFailed(activation.message)
}

/** Nothing to write; but after a crash the program may still serve an older state than the one on the disk. */
async function confirmServed(
  tool: OwnedTool,
  generation: string,
  requests: readonly Request[],
): Promise<void> {
  const isServed = (await tool.generation.served()) === generation
  const activation: Activation = isServed
    ? { outcome: 'live', message: '' }
    : await activate(tool, generation)
  if (activation.outcome === 'refused') throw ReloadFailed(activation.message)
  for (const request of requests)
    request.resolve({ isChanged: false, generation, isLive: activation.outcome === 'live' })
}

/** A reload that throws counts as rejected, so that the files are restored in any case. */
async function activate(tool: OwnedTool, generation: string): Promise<Activation> {
  try {
    return await tool.activate(generation)
  } catch (error) {
    return { outcome: 'refused', message: error instanceof Error ? error.message : String(error) }
  }
}

async function readGeneration(files: Files, tool: OwnedTool): Promise<string | undefined> {
  const content = await files.read(tool.generation.path)
  return content === undefined ? undefined : tool.generation.parse(content)
}

async function rejectThoseEditedMeanwhile(
  files: Files,
  snapshot: Snapshot,
  accepted: readonly PreparedRequest[],
): Promise<readonly PreparedRequest[]> {
  const meanwhile = new Map<string, string | undefined>()
  for (const { path } of compose(accepted)) {
    const now = await files.read(path)
    if (now !== snapshot.get(path)) meanwhile.set(path, now)
  }
  return accepted.filter(({ request, candidates }) => {
    const edited = candidates.find(({ path }) => meanwhile.has(path))
    if (edited === undefined || request.options.overwrite) return true
    request.reject(editedByHand(edited.path, meanwhile.get(edited.path), edited.content))
    return false
  })
}

interface WayBack {
  restore(): Promise<void>
  forget(): Promise<void>
}

/**
 * Puts the generation in place before the files, and restores it after them: if the panel is killed in between,
 * the generation on the disk differs from the one that is served, and the next start detects it.
 */
async function place(
  files: Files,
  tool: OwnedTool,
  generation: string,
  candidates: readonly PreparedCandidate[],
): Promise<WayBack> {
  const marker = await files.prepare(tool.generation.path, tool.generation.render(generation))
  const undos: (() => Promise<void>)[] = []
  const kept: { forget(): Promise<void> }[] = []
  const keep = async (path: string) => {
    const copy = await files.keep(path)
    if (copy !== undefined) kept.push(copy)
    return copy === undefined ? () => files.remove(path) : copy.restore
  }
  const forget = async () => {
    for (const each of kept) await each.forget()
  }
  const restore = async () => {
    for (const undo of undos.toReversed()) await undo()
    await forget()
  }
  try {
    undos.push(await keep(tool.generation.path))
    await marker.commit()
    for (const candidate of candidates) {
      undos.push(await keep(candidate.path))
      await (candidate.file === undefined ? files.remove(candidate.path) : candidate.file.commit())
    }
  } catch (error) {
    await marker.discard()
    await restore()
    throw error
  }
  return { restore, forget }
}

async function goBack(
  tool: OwnedTool,
  previous: string | undefined,
  refused: Activation,
  back: WayBack,
): Promise<void> {
  await back.restore()
  if (previous === undefined) return
  const restored = await activate(tool, previous)
  if (restored.outcome === 'refused')
    throw RestoreFailed(`${refused.message}\nThe old files are back, but: ${restored.message}`)
}

function halves(requests: readonly Request[]): readonly (readonly Request[])[] {
  const middle = Math.ceil(requests.length / 2)
  return [requests.slice(0, middle), requests.slice(middle)]
}
