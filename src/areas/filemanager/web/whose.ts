import { useSearch } from '@tanstack/react-router'
import { useMe } from '../../auth/web/queries.ts'
import type { Whose } from './queries.ts'

/** Where the page stands: whose files, and which path; the caller's own home where the address names nobody. */
export function usePlace(): { readonly whose: Whose; readonly path: string; readonly search: Readonly<Record<string, string | number>> } {
  const { username, website_id, path = '' } = useSearch({ strict: false }) as { username?: string; website_id?: number; path?: string }
  const me = useMe()
  const named: Readonly<Record<string, string | number>> | undefined = username
    ? { username: String(username) }
    : website_id
      ? { website_id: Number(website_id) }
      : undefined
  const own: Whose = me.data?.username ? { username: me.data.username } : {}
  return { whose: (named as Whose | undefined) ?? own, path: String(path), search: named ?? {} }
}
