import { type Change, change, type Step } from '../../core/change.ts'
import type { Lock } from '../../core/lock.ts'
import { point } from '../../core/point.ts'
import type { Users } from './context.ts'
import type { Webapp } from './model.ts'
import type { UserRow } from './store.ts'

/** The rendering of the sites of a user, from the store. */
export interface RenderedSites {
  readonly locks: readonly Lock[]
  readonly steps: readonly Step[]
  /** The domains whose files are written, and those that are left as they are. */
  readonly written: readonly string[]
  readonly left: readonly { readonly domain: string; readonly reason: string }[]
}

/** What an area serves for a user. */
export interface OwnedSites {
  list(user: UserRow): Promise<readonly Webapp[]>
  render(user: UserRow): Promise<RenderedSites>
}

/** The areas that serve sites of users. */
export const ownedSites = point<OwnedSites>('sites of a user')

/** Lists the websites and applications of a user. */
export async function listWebapps({ partsOf }: Users, user: UserRow): Promise<Webapp[]> {
  const lists: Webapp[] = []
  for (const part of partsOf(ownedSites)) lists.push(...(await part.list(user)))
  return lists
}

/** Writes the files of a user's sites again, from the store; those that were edited by hand stay. */
export async function rewriteConfigs(
  { partsOf }: Users,
  user: UserRow,
): Promise<Change<{ success: true; message: string }>> {
  const parts: RenderedSites[] = []
  for (const part of partsOf(ownedSites)) parts.push(await part.render(user))
  const written = parts.flatMap((part) => part.written)
  const left = parts.flatMap((part) => part.left)
  return change({
    summary: `Write the files of ${written.length} websites of ${user.email} again`,
    details: left.map(({ domain, reason }) => `${domain} stays as it is: ${reason}`),
    locks: parts.flatMap(({ locks }) => locks),
    steps: parts.flatMap(({ steps }) => steps),
    reply: { success: true, message: messageOf(written, left.length) },
  })
}

const messageOf = (written: readonly string[], left: number): string =>
  [
    written.length === 0 ? 'All files are as the panel wants them' : `Written again: ${written.join(', ')}`,
    ...(left === 0 ? [] : [`${left} left as they are`]),
  ].join('; ')
