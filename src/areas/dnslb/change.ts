import { type Change, change, step } from '../../core/change.ts'
import { Unavailable } from '../../core/problem.ts'
import type { Balancer } from '../../tools/dnsdist/index.ts'
import type { Dnslb } from './context.ts'
import { balancerLock } from './locks.ts'

/** Reads what the panel configures in dnsdist; throws if dnsdist is not installed. */
export async function currentBalancer({ dnsdist }: Dnslb): Promise<Balancer> {
  const found = await dnsdist.detect()
  if (!found.healthy) throw Unavailable(found.reason ?? undefined)
  return dnsdist.readBalancer()
}

/** Plans the given parts of the balancer anew. */
export async function changeBalancer<Reply>(
  on: Dnslb,
  { summary, reply, edit }: { summary: string; reply: Reply; edit: (now: Balancer) => Partial<Balancer> },
): Promise<Change<Reply>> {
  const now = await currentBalancer(on)
  const args = { title: summary, balancer: { ...now, ...edit(now) } }
  return change({
    summary,
    locks: [balancerLock],
    steps: [step(on.dnsdist.steps.setBalancer, args)],
    reply,
  })
}

/** Replaces the item that an item equals by its key, or appends it. */
export function placed<Item>(
  items: readonly Item[],
  item: Item,
  keyOf: (item: Item) => unknown,
): readonly Item[] {
  const isSame = (each: Item) => keyOf(each) === keyOf(item)
  return items.some(isSame) ? items.map((each) => (isSame(each) ? item : each)) : [...items, item]
}

/** Returns the items of these keys first, in this order, and then the others. */
export function ordered<Item, Key>(
  items: readonly Item[],
  order: readonly Key[],
  keyOf: (item: Item) => Key,
): readonly Item[] {
  const rank = new Map(order.map((key, index) => [key, index]))
  return items.toSorted(
    (one, other) => (rank.get(keyOf(one)) ?? Infinity) - (rank.get(keyOf(other)) ?? Infinity) || 0,
  )
}
