import { owned } from '../../tool-files.ts'
import { accessConfigPath } from '../access/layout.ts'
import { renderAccessConfig, type RuledOwner } from '../access/render-access.ts'
import type { NginxParts } from '../parts.ts'
import type { WriteSitesArgs } from './write-sites.ts'
import { sitePathIn } from '../layout.ts'

export interface WriteAccessArgs extends WriteSitesArgs {
  /** Every owner whose websites obey rules. */
  readonly owners: readonly RuledOwner[]
}

/** The file that loads access rules, and the files of the websites whose owner gets rules or loses them, with one check and one reload. */
export function accessFiles({ layout, tool }: NginxParts) {
  return owned<WriteAccessArgs>({
    by: tool,
    title: () => 'Load the access rules of websites',
    files: ({ owners, sites }) => [
      { path: accessConfigPath(layout), content: renderAccessConfig(layout, owners) },
      ...sites.map(({ domain, content }) => ({ path: sitePathIn(layout, domain), content })),
    ],
    overwrites: ({ overwrite = false }) => overwrite,
  })
}
