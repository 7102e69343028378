import type { StepKind } from '../core/change.ts'
import type { Was } from '../core/steps.ts'
import type { Found } from '../core/tool.ts'
import type { FileContents } from '../host/apply/steps.ts'
import type { OwnedTool } from '../host/apply/tool.ts'
import type { Application } from './nginx/render-application.ts'
import type { NginxSite } from './nginx/site.ts'
import type { WriteSitesArgs } from './nginx/steps/write-sites.ts'
import type { SiteState } from './site-file.ts'
import type { StartObstacle } from './start-obstacle.ts'

export const webServerNames = ['nginx', 'apache'] as const
export type WebServerName = (typeof webServerNames)[number]

/** What differs between the web servers that the panel drives; certificates, passwords and logs are shared. */
export interface WebServer {
  readonly name: string
  readonly tool: OwnedTool
  readonly steps: { readonly writeSites: StepKind<WriteSitesArgs, Was<FileContents>, null> }
  detect(): Promise<Found>
  /** Why it would not start as it is configured, with the files of others; `without` are domains whose sites are left out. */
  startObstacle(without: readonly string[]): Promise<StartObstacle | undefined>
  renderSite(site: NginxSite): string
  renderApplication(application: Application): string
  /** Renders what answers the challenges of a certificate authority for a name that belongs to no website, and nothing else. */
  renderChallenges(name: string): string
  /** The file of a site as it is; undefined if there is none. */
  readSite(domain: string): Promise<string | undefined>
  stateOf(domain: string, content: string): Promise<SiteState>
  /** The names of the sites that have a file. */
  siteNames(): Promise<readonly string[]>
  /** What a site has that this server does not, each with the reason. */
  lacks(site: Pick<NginxSite, 'php' | 'proxy' | 'options' | 'accessOwner'>): readonly string[]
}
