import type { Encoding } from './encoding.ts'

/** An edited text with its original. */
export interface Draft {
  readonly text: string
  readonly kept: { readonly text: string; readonly encoding: Encoding; readonly etag: string }
}

const mostKept = 20

/**
 * Unsaved texts of ended sessions, by user and file. They stay in this tab's memory because they may contain
 * secrets.
 */
const drafts = new Map<string, Draft>()

/** Keeps an unsaved text. */
export function keepDraft(name: string, draft: Draft): void {
  drafts.delete(name)
  drafts.set(name, draft)
  for (const oldest of [...drafts.keys()].slice(0, -mostKept)) drafts.delete(oldest)
}

/** Returns the draft of a file and forgets it. */
export function takeDraft(name: string): Draft | undefined {
  const draft = drafts.get(name)
  drafts.delete(name)
  return draft
}
