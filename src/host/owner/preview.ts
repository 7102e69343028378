import type { Call } from './confined/calls.ts'
import type { Previewable, Previewed } from './confined/preview/calls.ts'

/** What a call would do; the paths are for people, the first of many. */
export type PreviewExtent = Previewed

/** Ends work that is only previewed at its first call that would change something: there is no answer to go on with. */
export class PreviewReached extends Error {
  readonly previewed: Previewed

  constructor(previewed: Previewed) {
    super('a call was previewed, and not carried out')
    this.previewed = previewed
  }
}

/** What the first call of some work that would change something would do; the work is handed what gives it up there. */
export async function previewFirstCall(work: () => Promise<unknown>): Promise<PreviewExtent> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof PreviewReached)) throw error
    const { paths, ...rest } = error.previewed
    return { ...rest, paths: paths.map((path) => Buffer.from(path, 'latin1').toString('utf8')) }
  }
  throw new Error('the work changes nothing that can be previewed')
}

const reads: ReadonlySet<Call['op']> = new Set(['list', 'stat', 'read', 'search', 'trash', 'pack', 'look'])
const previewable: ReadonlySet<Call['op']> = new Set([
  'write',
  'mkdir',
  'remove',
  'move',
  'copy',
  'chmod',
  'dirsize',
  'restore',
  'empty',
  'compress',
])

/** Whether a call changes nothing, so that it is carried out while others are previewed. */
export function isRead(call: Call): boolean {
  return reads.has(call.op)
}

/** Whether the program can tell what a call would do. */
export function isPreviewable(call: Call): call is Previewable {
  return call.op === 'upload' ? call.verb === 'open' || call.verb === 'place' : previewable.has(call.op)
}
