import type { Download } from '../downloads.ts'
import type { Sending } from './queue.ts'

/** What is going on, in a line: what moves before what failed, and that before what waits for the reader. */
export function titleOf(sendings: readonly Pick<Sending, 'state'>[], coming: readonly Pick<Download, 'state'>[]): string {
  const going = sendings.filter(({ state }) => state === 'waiting' || state === 'sending').length
  const arriving = coming.filter(({ state }) => state === 'coming').length
  const failed = [...sendings, ...coming].filter(({ state }) => state === 'failed').length
  if (going > 0) return `Uploading ${going} of ${sendings.length}${arriving > 0 ? `, downloading ${arriving}` : ''}`
  if (arriving > 0) return `Downloading ${arriving} of ${coming.length}`
  if (failed > 0) return `${failed} failed`
  if (sendings.some(({ state }) => state === 'paused')) return 'Uploads are paused'
  return sendings.length > 0 ? 'Uploads are over' : 'Downloads are over'
}
