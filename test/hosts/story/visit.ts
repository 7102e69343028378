import type { Host, HttpResponse } from '../harness/index.ts'

/** Fetches a path of a website from the nginx of a host. */
export function visit(host: Host, domain: string, path = '/'): Promise<HttpResponse> {
  return host.request({ path, headers: { Host: domain } })
}

/** Runs the work for every item, at most `width` at a time. */
export async function forEach<Item>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<void>,
): Promise<void> {
  const waiting = items.entries()
  const worker = async () => {
    for (const [index, item] of waiting) await work(item, index)
  }
  await Promise.all(Array.from({ length: width }, worker))
}
