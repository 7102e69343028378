import type { WriteSitesArgs } from '../../nginx/steps/write-sites.ts'
import { owned } from '../../tool-files.ts'
import { sitePathIn } from '../layout.ts'
import type { ApacheParts } from '../parts.ts'

/** The files of sites: written or removed with one check and one reload. */
export function siteFiles({ layout, tool }: Pick<ApacheParts, 'layout' | 'tool'>) {
  return owned<WriteSitesArgs>({
    by: tool,
    title: ({ sites }) => {
      const names = sites.map(({ domain }) => domain).join(', ')
      return `${sites.every(({ content }) => content === null) ? 'Stop serving' : 'Serve'} ${names} with Apache`
    },
    files: ({ sites }) => sites.map(({ domain, content }) => ({ path: sitePathIn(layout, domain), content })),
    overwrites: ({ overwrite = false }) => overwrite,
  })
}
