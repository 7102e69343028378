import type { Encoding } from './encoding.ts'

/** A text as the editor has it, beside what it was made from. */
export interface Draft {
  readonly text: string
  readonly kept: { readonly text: string; readonly encoding: Encoding; readonly etag: string }
}

const mostKept = 20

/** What was not saved when a session ended, by user and file. It stays in this tab's memory, as it may hold secrets. */
const drafts = new Map<string, Draft>()

/** Keeps a text that was not saved. */
export function keepDraft(name: string, draft: Draft): void {
  drafts.delete(name)
  drafts.set(name, draft)
  for (const oldest of [...drafts.keys()].slice(0, -mostKept)) drafts.delete(oldest)
}

/** What was kept of a file; given once. */
export function takeDraft(name: string): Draft | undefined {
  const draft = drafts.get(name)
  drafts.delete(name)
  return draft
}
