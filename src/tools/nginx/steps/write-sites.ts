import { owned } from '../../tool-files.ts'
import type { NginxParts } from '../parts.ts'
import { sitePathIn } from '../layout.ts'

export interface WriteSitesArgs {
  readonly sites: readonly {
    readonly domain: string
    /** As rendered by `renderSite`; null removes the site's file. */
    readonly content: string | null
  }[]
  /** Replaces files even if they were edited manually. */
  readonly overwrite?: boolean
}

/** The files of sites: written or removed with one check and one reload. */
export function siteFiles({ layout, tool }: NginxParts) {
  return owned<WriteSitesArgs>({
    by: tool,
    title: ({ sites }) => {
      const names = sites.map(({ domain }) => domain).join(', ')
      return `${sites.every(({ content }) => content === null) ? 'Stop serving' : 'Serve'} ${names}`
    },
    files: ({ sites }) => sites.map(({ domain, content }) => ({ path: sitePathIn(layout, domain), content })),
    overwrites: ({ overwrite = false }) => overwrite,
  })
}
