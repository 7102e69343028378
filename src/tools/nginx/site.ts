import type { SiteTls } from './render-tls.ts'

/** The configuration of one site, without the syntax of a web server: a second web server would be a second renderer. */
export interface NginxSite extends SiteTls {
  readonly id: number
  /** Lower case, in ASCII form. */
  readonly domain: string
  readonly aliases: readonly string[]
  readonly type: 'static' | 'php' | 'proxy'
  /** Absolute path of the document root. */
  readonly root: string
  readonly isSuspended: boolean
  /** Of a PHP site. */
  readonly php?: SitePhp
  /** Of a proxy. */
  readonly proxy?: SiteProxy
  readonly options?: SiteOptions
  /** The id of the owner, if the site obeys the owner's access rules. */
  readonly accessOwner?: number
}

/** How a site's PHP is reached. */
export interface SitePhp {
  /** Absolute path of the socket of the site's pool. */
  readonly socket: string
  /** Folders directly below the document root in which PHP never executes, without slashes at their ends. */
  readonly dataFolders: readonly string[]
  readonly bodyMb: number
  /** How long a request may run. */
  readonly seconds: number
  /** Absent if no page is kept. */
  readonly cache?: SiteCache
}

/** Which answers of a site's PHP are kept, and for how long. */
export interface SiteCache {
  readonly seconds: number
  readonly sizeMb: number
  /** Beginnings of paths whose answers are not kept. */
  readonly paths: readonly string[]
  /** Beginnings of the names of cookies; a request with one of them gets no answer that was kept. */
  readonly cookies: readonly string[]
  /** True if addresses with a query are kept too. */
  readonly keepsQueries: boolean
  /** Absolute path of the file whose time and size are part of every key. */
  readonly generationFile: string
}

/** Where a proxy forwards requests. */
export interface SiteProxy {
  /** Absolute path of a Unix socket, or an address that has been resolved: nginx never asks the DNS. */
  readonly upstream: { readonly socket: string } | { readonly address: string; readonly port: number }
  readonly bodyMb: number
  readonly seconds: number
  /** How long an upgraded connection may be silent. */
  readonly upgradeSeconds: number
  /** Null for a plain connection. */
  readonly tls: UpstreamTls | null
}

/** How the connection to an upstream is protected. */
export interface UpstreamTls {
  /** The name in its certificate, sent as SNI; null if the upstream has only an address. */
  readonly name: string | null
  /** Absolute path of the authorities that may have issued the certificate; null if it is not verified. */
  readonly authorities: string | null
}

/** A path that leads elsewhere. */
interface SiteRedirect {
  readonly from: string
  readonly to: string
  readonly code: number
  /** Also every path below `from`, which has a plain path without a slash at its end; the rest follows `to`. */
  readonly isPrefix?: boolean
}

/** What a site of any type may have. */
export interface SiteOptions {
  readonly isInMaintenance: boolean
  readonly redirects: readonly SiteRedirect[]
  readonly errorPages: readonly { readonly code: number; readonly path: string }[]
  readonly directives: readonly { readonly name: string; readonly values: readonly string[] }[]
  /** Folders that ask for a password, each with the file of its users. */
  readonly protectedFolders: readonly { readonly folder: string; readonly file: string }[]
  /** Paths of scripts that are answered with 403. */
  readonly refusedScripts?: readonly string[]
  /** The path of the script that receives sign-ins: an address posts to it a few times a minute at most. */
  readonly signInScript?: string
}
