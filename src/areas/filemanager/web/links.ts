import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../web/wire.ts'
import { shown } from './names.ts'
import { parentOf } from './paths.ts'
import { type Item, statOf, type Whose } from './queries.ts'

/** What a link leads to: a folder, something else, or nothing that the home has. */
export type Lead = 'folder' | 'file' | 'nowhere'

type Link = Pick<Item, 'path' | 'link_target'>

/** GET /filemanager/stat of a link with a slash at its end, which means what it leads to. */
export async function leadOf(whose: Whose, path: string, signal?: AbortSignal): Promise<Lead> {
  try {
    await statOf(whose, `${path}/`, signal)
    return 'folder'
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 'nowhere'
    if (error instanceof ApiError && error.status === 400) return 'file' // it is no folder; what else is wrong is told when it is opened
    throw error
  }
}

/** The same for a page; asked only of links. */
export const useLead = (whose: Whose, path: string, isLink: boolean) =>
  useQuery({
    queryKey: ['files', whose, path, 'lead'],
    queryFn: ({ signal }) => leadOf(whose, path, signal),
    enabled: isLink,
  })

/** Says of a link that it leads nowhere. */
export function textOfNowhere({ path, link_target: target = '' }: Link): string {
  return `${shown(path)} is a link to ${shown(target)}, which does not exist or is outside of the home.`
}

/** The path that a relative link leads to, read as text; undefined where it leads above the home, or begins at the root of the host. */
export function targetOf({ path, link_target: target = '/' }: Link): string | undefined {
  if (target.startsWith('/')) return undefined
  const parts = parentOf(path).split('/').filter(Boolean)
  for (const part of target.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
