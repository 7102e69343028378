import { timingSafeEqual } from 'node:crypto'
import type { Store } from '../../store/store.ts'
import { CodeWrong } from './problems.ts'
import type { ChannelRow } from './store.ts'

const codeLength = 8 // 32 bits

/** True if an e-mail address has not agreed to receive notifications; until then it gets the code alone. */
export const isUnconfirmed = ({ confirmed_at: at }: Pick<ChannelRow, 'confirmed_at'>): boolean => at === null

/** Returns the code that proves that somebody reads the mail of a channel; it is valid for this channel and target. */
export function codeOf(
  { sign }: Pick<Store, 'sign'>,
  { id, target }: Pick<ChannelRow, 'id' | 'target'>,
): string {
  const code = Buffer.from(sign(`confirmation of channel ${id}: ${target}`), 'base64url').toString('hex')
  return code.slice(0, codeLength).toUpperCase()
}

/** Throws unless a code is the one of the mail to a channel. */
export function assertCode(store: Pick<Store, 'sign'>, channel: ChannelRow, code: string): void {
  const given = Buffer.from(code.trim().toUpperCase())
  const wanted = Buffer.from(codeOf(store, channel))
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted))
    throw CodeWrong(`code: is not the one of the mail to ${channel.target}`)
}
