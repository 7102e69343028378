import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useMe } from '../../auth/web/queries.ts'
import { isOdd, pathFrom, wirePath } from './names.ts'
import type { Whose } from './queries.ts'

/** The search parameters in the URL of a page. */
export type Search = Readonly<Record<string, string | number>>

/** The owner and path that a file page shows. */
export interface Place {
  readonly whose: Whose
  readonly path: string
  /** Returns the URL of another path of the same owner. */
  readonly at: (path: string) => Search
}

interface Asked {
  readonly username?: unknown
  readonly website_id?: unknown
  readonly path?: unknown
  readonly path_b64?: unknown
}

/** Reads the owner and path from the URL; without an owner, the user's own home. */
export function usePlace(): Place {
  const { username, website_id, path = '', path_b64 }: Asked = useSearch({ strict: false })
  const me = useMe()
  const own = me.data?.username ?? undefined
  return useMemo(() => {
    const named: Search = username
      ? { username: String(username) }
      : website_id
        ? { website_id: Number(website_id) }
        : {}
    const whose: Whose = Object.keys(named).length > 0 ? named : own ? { username: own } : {}
    const here = path_b64 ? pathFrom('', String(path_b64)) : String(path)
    return {
      whose,
      path: here.split('/').filter(Boolean).join('/'),
      at: (to) => ({ ...named, ...(to !== '' && searchOf(to)) }),
    }
  }, [username, website_id, path, path_b64, own])
}

/** Returns true if the URL or the signed-in user determines the owner. */
export const isNamed = ({ whose }: Place): boolean =>
  whose.username !== undefined || whose.website_id !== undefined

function searchOf(path: string): Search {
  return isOdd(path) ? { ...wirePath(path) } : { path }
}
