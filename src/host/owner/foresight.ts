import type { Call } from './confined/calls.ts'
import type { Foreseeable, Foreseen } from './confined/foresee/calls.ts'

/** What a call would do; the paths are for people, the first of many. */
export type Foresight = Foreseen

/** Ends work that is only foreseen at its first call that would change something: there is no answer to go on with. */
export class Foretold extends Error {
  readonly foreseen: Foreseen

  constructor(foreseen: Foreseen) {
    super('a call was foreseen, and not carried out')
    this.foreseen = foreseen
  }
}

/** What the first call of some work that would change something would do; the work is handed what gives it up there. */
export async function foretold(work: () => Promise<unknown>): Promise<Foresight> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Foretold)) throw error
    const { paths, ...rest } = error.foreseen
    return { ...rest, paths: paths.map((path) => Buffer.from(path, 'latin1').toString('utf8')) }
  }
  throw new Error('the work changes nothing that can be foreseen')
}

const reads: ReadonlySet<Call['op']> = new Set(['list', 'stat', 'read', 'search', 'trash', 'pack', 'look'])
const foreseeable: ReadonlySet<Call['op']> = new Set([
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

/** Whether a call changes nothing, so that it is carried out while others are foreseen. */
export function isRead(call: Call): boolean {
  return reads.has(call.op)
}

/** Whether the program can tell what a call would do. */
export function isForeseeable(call: Call): call is Foreseeable {
  return call.op === 'upload' ? call.verb === 'open' || call.verb === 'place' : foreseeable.has(call.op)
}
