import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../web/wire.ts'
import { shown } from './names.ts'
import { parentOf } from './paths.ts'
import { type Item, statOf, type Whose } from './queries.ts'

/** The target of a link: a folder, another file, or nothing inside the home. */
export type Lead = 'folder' | 'file' | 'nowhere'

type Link = Pick<Item, 'path' | 'link_target'>

/** GET /filemanager/stat with a trailing slash, which follows the link. */
export async function leadOf(whose: Whose, path: string, signal?: AbortSignal): Promise<Lead> {
  try {
    await statOf(whose, `${path}/`, signal)
    return 'folder'
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 'nowhere'
    // not a folder; opening it reports any other error
    if (error instanceof ApiError && error.status === 400) return 'file'
    throw error
  }
}

/** Returns the target of a link for a page; other entries cause no request. */
export const useLead = (whose: Whose, path: string, isLink: boolean) =>
  useQuery({
    queryKey: ['files', whose, path, 'lead'],
    queryFn: ({ signal }) => leadOf(whose, path, signal),
    enabled: isLink,
  })

/** Returns the message for a broken link. */
export function textOfNowhere({ path, link_target: target = '' }: Link): string {
  return `${shown(path)} is a link to ${shown(target)}, which does not exist or is outside of the home.`
}

/** Resolves a relative link as text; undefined if it leaves the home or is absolute. */
export function targetOf({ path, link_target: target = '/' }: Link): string | undefined {
  if (target.startsWith('/')) return undefined
  const parts = parentOf(path).split('/').filter(Boolean)
  for (const part of target.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined
    if (part !== '..' && part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
