import type { Authdns } from '../context.ts'
import { rollovers, withdrawals } from './store.ts'

/** Removes what was begun with the keys of a zone, which go. */
export async function forgottenRows({ rollovers: rolling, withdrawals: withdrawn }: Authdns, zone: string) {
  return [
    ...((await rolling.find(zone)) === undefined ? [] : [rollovers.delete({ zone })]),
    ...((await withdrawn.find(zone)) === undefined ? [] : [withdrawals.delete({ zone })]),
  ]
}
