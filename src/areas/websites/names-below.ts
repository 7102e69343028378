import type { Caller } from '../../core/caller.ts'
import type { Websites } from './context.ts'
import { BelowAnother } from './problems.ts'

interface Refusing {
  readonly field: 'domain' | 'aliases'
  readonly caller: Caller
}

/**
 * Fails if one of the names of a website is below a name of another owner's website: it would get the cookies of that
 * one, could set them, and pass for it. A wildcard has every name below it, so none of them may be another owner's
 * either: the names further below would be served here. Superusers decide for themselves, and may share the names below a
 * website (`shared_subdomains`).
 */
export async function refuseBelowAnother(
  { queries }: Pick<Websites, 'queries'>,
  names: readonly string[],
  { field, caller }: Refusing,
): Promise<void> {
  if (caller.user.isAdmin) return
  const refuse = (reason: string) =>
    BelowAnother(`${field}: ${reason}, which belongs to another owner: a superuser may add it`)
  for (const name of names) {
    for (const { name: above, website_id } of await queries.taken(namesAbove(name))) {
      const [site] = await queries.complete([await queries.load(website_id)])
      const isShared = site!.user_id === caller.user.id || site!.settings.shared_subdomains
      if (!isShared) throw refuse(`${name} is below ${above}`)
    }
    const below = isWildcard(name) ? await queries.ofOthersBelow(name.slice(2), caller.user.id) : undefined
    if (below !== undefined) throw refuse(`${name} is above ${below}`)
  }
}

/** True for `*.` before a name. */
export const isWildcard = (name: string): boolean => name.startsWith('*.')

/** True if nginx serves a host name by a name of a website: a wildcard stands for one label or several. */
export const serves = (own: string, name: string): boolean =>
  own === name || (isWildcard(own) && name.endsWith(own.slice(1)))

/** The names above a host name, without the top-level domain, and their wildcards. */
const namesAbove = (name: string): readonly string[] =>
  name
    .split('.')
    .map((_label, index, labels) => labels.slice(index).join('.'))
    .slice(1, -1)
    .flatMap((above) => [above, `*.${above}`])
