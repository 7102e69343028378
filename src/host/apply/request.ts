import { EditedByHand } from '../../core/problem.ts'
import { digestOf, type PreparedFile } from '../files.ts'
import { unifiedDiff } from '../../core/unified-diff.ts'
import type { Applied, ApplyOptions, Candidate, FileEdit } from './tool.ts'

/** A caller of apply that waits. */
export interface Request {
  readonly edits: readonly FileEdit[]
  readonly options: ApplyOptions
  /** First removes the leftovers of a killed panel; no other request may run then. */
  readonly cleansFirst?: boolean
  readonly resolve: (applied: Applied) => void
  readonly reject: (error: unknown) => void
}

/** A request whose candidates are next to the live files. */
export interface PreparedRequest {
  readonly request: Request
  readonly candidates: readonly PreparedCandidate[]
}

export interface PreparedCandidate extends Candidate {
  readonly file: PreparedFile | undefined
}

/** The content of the live files at the start of the batch, by path. */
export type Snapshot = ReadonlyMap<string, string | undefined>

/** The last candidate of each path, in the order of the requests. */
export function compose(requests: readonly PreparedRequest[]): readonly PreparedCandidate[] {
  return [
    ...new Map(
      requests.flatMap((each) => each.candidates).map((candidate) => [candidate.path, candidate]),
    ).values(),
  ]
}

/** Refuses to overwrite an edit by hand, and shows the text that would be lost. */
export function editedByHand(path: string, live: string | undefined, wanted: string | undefined): Error {
  return EditedByHand(`${path} was edited by hand since the panel wrote it`, {
    fields: { path, diff: unifiedDiff(path, live, wanted) },
  })
}

/** The name of the state that these candidates produce, one of a chain: it never recurs. */
export function nextGeneration(previous: string | undefined, candidates: readonly Candidate[]): string {
  return digestOf(JSON.stringify([previous, candidates.map(({ path, content }) => [path, content])]))
}
