import type { StepKind } from '../../../core/change.ts'
import type { Was } from '../../../core/steps.ts'
import { ownedFiles, type FileContents } from '../../../host/apply/steps.ts'
import type { NginxParts } from '../index.ts'
import { hostWord } from '../quote.ts'

export interface WriteSitesArgs {
  readonly sites: readonly {
    readonly domain: string
    /** As rendered by `renderSite`; null removes the site's file. */
    readonly content: string | null
  }[]
  /** Replaces files even if they were edited manually. */
  readonly overwrite?: boolean
}

/** The step that writes or removes the files of sites, and activates them with one check and one reload. */
export function writeSites({
  host,
  layout,
  tool,
}: NginxParts): StepKind<WriteSitesArgs, Was<FileContents>, null> {
  const pathOf = (domain: string) => `${layout.sitesDirectory}/${hostWord(domain)}.conf`
  return ownedFiles(
    host,
    tool,
  )({
    name: 'nginx.write-sites',
    title: ({ sites }) => {
      const names = sites.map(({ domain }) => domain).join(', ')
      return `${sites.every(({ content }) => content === null) ? 'Stop serving' : 'Serve'} ${names}`
    },
    files: ({ sites }) => sites.map(({ domain, content }) => ({ path: pathOf(domain), content })),
    overwrites: ({ overwrite = false }) => overwrite,
  })
}
