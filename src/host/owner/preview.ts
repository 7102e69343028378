import type { Call } from './confined/call.ts'
import type { Previewable, Previewed } from './confined/preview/calls.ts'

/** The effect of a call; the paths are for display, the first of many. */
export type PreviewExtent = Previewed

/** Ends previewed work at its first call that would change something: there is no reply to continue with. */
export class PreviewReached extends Error {
  readonly previewed: Previewed

  constructor(previewed: Previewed) {
    super('a call was previewed, and not carried out')
    this.previewed = previewed
  }
}

/** Returns the effect of the first call of some work that would change something; the work receives the function that ends it there. */
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

const reads: ReadonlySet<Call['op']> = new Set([
  'list',
  'stat',
  'read',
  'search',
  'trash',
  'pack',
  'look',
  'entries',
])
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

/** Returns true if a call changes nothing, so that it is carried out in a preview. */
export function isRead(call: Call): boolean {
  return reads.has(call.op)
}

/** Returns true if the helper can preview a call. */
export function isPreviewable(call: Call): call is Previewable {
  return call.op === 'upload' ? call.verb === 'open' || call.verb === 'place' : previewable.has(call.op)
}
