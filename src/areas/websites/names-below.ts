import type { Caller } from '../../core/caller.ts'
import type { Websites } from './context.ts'
import { BelowAnother } from './problems.ts'

/**
 * Fails if one of the names of a website is below a name of another owner's website: it would get the cookies of that
 * one, could set them, and pass for it. Superusers decide for themselves.
 */
export async function refuseBelowAnother(
  { queries }: Pick<Websites, 'queries'>,
  names: readonly string[],
  { field, caller }: { readonly field: 'domain' | 'aliases'; readonly caller: Caller },
): Promise<void> {
  if (caller.user.isAdmin) return
  for (const name of names) {
    const found = await queries.taken(parentsOf(name))
    for (const { name: parent, website_id } of found) {
      const { user_id: owner } = await queries.load(website_id)
      if (owner !== caller.user.id)
        throw BelowAnother(
          `${field}: ${name} is below ${parent}, which belongs to another owner: a superuser may add it`,
        )
    }
  }
}

/** The names above a host name, without the top-level domain. */
const parentsOf = (name: string): readonly string[] =>
  name
    .split('.')
    .map((_label, index, labels) => labels.slice(index).join('.'))
    .slice(1, -1)
