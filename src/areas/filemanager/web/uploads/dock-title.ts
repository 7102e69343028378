import type { Archiving } from '../archiving/archiving.ts'
import type { Download } from '../downloads.ts'
import type { Sending } from './queue.ts'

interface Transfers {
  readonly sendings?: readonly Pick<Sending, 'state'>[]
  readonly coming?: readonly Pick<Download, 'state'>[]
  readonly archiving?: readonly Pick<Archiving, 'state' | 'verb'>[]
}

/** What is going on, in a line: what moves before what failed, and that before what waits for the reader. */
export function titleOf({ sendings = [], coming = [], archiving = [] }: Transfers): string {
  const going = sendings.filter(({ state }) => state === 'waiting' || state === 'sending').length
  const arriving = coming.filter(({ state }) => state === 'coming').length
  const working = archiving.filter(({ state }) => state === 'working')
  const moving = [
    going > 0 && `uploading ${going} of ${sendings.length}`,
    arriving > 0 && `downloading ${arriving}${going > 0 ? '' : ` of ${coming.length}`}`,
    working.length > 0 && wordsOfArchives(working),
  ].filter((part) => part !== false)
  if (moving.length > 0) return capital(moving.join(', '))
  const failed = [...sendings, ...coming, ...archiving].filter(({ state }) => state === 'failed').length
  if (failed > 0) return `${failed} failed`
  if (sendings.some(({ state }) => state === 'paused')) return 'Uploads are paused'
  return sendings.length > 0 ? 'Uploads are over' : 'Downloads are over'
}

function wordsOfArchives(working: readonly Pick<Archiving, 'verb'>[]): string {
  const packing = working.filter(({ verb }) => verb === 'pack').length
  const [first, count] = packing > 0 ? ['compressing', packing] : ['extracting', working.length]
  return packing > 0 && packing < working.length ? `compressing ${packing}, extracting ${working.length - packing}` : `${first} ${count}`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
