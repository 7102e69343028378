import { EditedByHand } from '../../core/problem.ts'
import { digestOf, type PreparedFile } from '../files.ts'
import { unifiedDiff } from './diff.ts'
import type { Applied, ApplyOptions, Candidate, FileEdit } from './tool.ts'

/** One caller of apply, who waits. */
export interface Request {
  readonly edits: readonly FileEdit[]
  readonly options: ApplyOptions
  /** First removes what a killed panel left; nothing else may be at work then. */
  readonly cleansFirst?: boolean
  readonly resolve: (applied: Applied) => void
  readonly reject: (error: unknown) => void
}

/** A request whose candidates lie beside the live files. */
export interface PreparedRequest {
  readonly request: Request
  readonly candidates: readonly PreparedCandidate[]
}

export interface PreparedCandidate extends Candidate {
  readonly file: PreparedFile | undefined
}

/** What the live files held when the batch began, by path. */
export type Snapshot = ReadonlyMap<string, string | undefined>

/** The last candidate of each path, as the requests come one after another. */
export function compose(requests: readonly PreparedRequest[]): readonly PreparedCandidate[] {
  return [
    ...new Map(
      requests.flatMap((each) => each.candidates).map((candidate) => [candidate.path, candidate]),
    ).values(),
  ]
}

/** Refuses to replace what somebody wrote by hand, and shows what would go. */
export function editedByHand(path: string, live: string | undefined, wanted: string | undefined): Error {
  return EditedByHand(`${path} was edited by hand since the panel wrote it`, {
    fields: { path, diff: unifiedDiff(path, live, wanted) },
  })
}

/** The name of the state that these candidates bring, one of a chain: it never comes back. */
export function nextGeneration(previous: string | undefined, candidates: readonly Candidate[]): string {
  return digestOf(JSON.stringify([previous, candidates.map(({ path, content }) => [path, content])]))
}
