import { area } from '../../core/area.ts'
import type { Nginx } from '../../tools/nginx/index.ts'
import type { Deps } from '../deps.ts'
import { type Homes, openHomes, users } from '../users/index.ts'
import { type Websites, websites } from '../websites/index.ts'
import { writeHomeFiles } from './steps/write-home-files.ts'

/** The page caches of websites, as the verbs of the area reach them. */
export interface PageCaches {
  readonly websites: Websites
  readonly nginx: Nginx
  readonly ownerOf: Homes['ownerOf']
  readonly steps: { readonly writeHomeFiles: ReturnType<typeof writeHomeFiles> }
}

/** Binds the area to the websites, nginx and the homes of owners. */
export function openPageCache({ host, tools: { nginx }, use }: Deps): PageCaches {
  const { ownerOf } = openHomes(host, use(users).users)
  return {
    websites: use(websites).websites,
    nginx,
    ownerOf,
    steps: { writeHomeFiles: writeHomeFiles(ownerOf) },
  }
}

export interface Context {
  readonly pageCache: PageCaches
}

export const { endpoint } = area.of<Context>()
