import type { Files } from '../../host/files.ts'
import { hostWord } from './quote.ts'

/** The paths of nginx and of the files that the panel gives it, and the addresses on which sites listen. */
export interface NginxLayout {
  readonly configPath: string
  /** The distribution's list of media types, which nginx.conf includes. */
  readonly mediaTypesPath: string
  /** The panel's only file in the directory that the distribution's nginx.conf includes. */
  readonly ownConfigPath: string
  readonly directory: string
  readonly sitesDirectory: string
  /**
   * Always present and always empty: a new file is mounted over it for the check, before it exists at its own
   * path.
   */
  readonly slotPath: string
  readonly generationPath: string
  /**
   * In a separate directory that survives a reboot. nginx does not start if a killed nginx left its socket
   * there: the panel and the drop-in of the unit remove it before a start.
   */
  readonly socketPath: string
  readonly pidPath: string
  readonly errorLogPath: string
  readonly logsDirectory: string
  /** The logs of deleted sites; only root can read them. */
  readonly deletedLogsDirectory: string
  readonly logrotatePath: string
  readonly unitDropInPath: string
  /** Certificates with their keys, which only root can read. */
  readonly certificatesDirectory: string
  /** The certificate authorities that the host trusts. */
  readonly authoritiesPath: string
  /** The users of protected folders, which nginx's workers read. */
  readonly passwordsDirectory: string
  /** What certificate authorities ask websites for; nginx's workers read it. */
  readonly challengesDirectory: string
  /** The pages that are kept for websites, in a folder for each; others pass through it alone. */
  readonly cacheDirectory: string
  /** The folder of the homes, which root alone may write to: no owner can replace a home with a symlink. */
  readonly homesDirectory: string
  readonly listen: readonly string[]
  readonly listenTls: readonly string[]
}

/** The layout of Debian's nginx package. */
export const debianLayout: NginxLayout = {
  ...below('/etc/nginx/hostreeve'),
  configPath: '/etc/nginx/nginx.conf',
  mediaTypesPath: '/etc/nginx/mime.types',
  ownConfigPath: '/etc/nginx/conf.d/hostreeve.conf',
  socketPath: '/var/lib/hostreeve-nginx/generation.sock',
  pidPath: '/run/nginx.pid',
  errorLogPath: '/var/log/nginx/error.log',
  logsDirectory: '/var/log/hostreeve/sites',
  deletedLogsDirectory: '/var/log/hostreeve/deleted-sites',
  logrotatePath: '/etc/logrotate.d/hostreeve-nginx',
  unitDropInPath: '/etc/systemd/system/nginx.service.d/hostreeve.conf',
  challengesDirectory: '/var/lib/hostreeve-acme',
  cacheDirectory: '/var/cache/hostreeve-nginx',
  homesDirectory: '/home',
  authoritiesPath: '/etc/ssl/certs/ca-certificates.crt',
  listen: ['80', '[::]:80'],
  listenTls: ['443', '[::]:443'],
}

/** Debian's layout; without IPv6 in the kernel, nginx could not listen on it and would not start. */
export function layoutFor(hasIpv6: boolean): NginxLayout {
  return hasIpv6 ? debianLayout : { ...debianLayout, listen: ['80'], listenTls: ['443'] }
}

/** The directory of a site's logs. */
export const logDirectory = ({ logsDirectory }: Pick<NginxLayout, 'logsDirectory'>, domain: string): string =>
  `${logsDirectory}/${hostWord(domain)}`

/** The folder of the pages that are kept for a site. */
export const cacheFolder = (
  { cacheDirectory }: Pick<NginxLayout, 'cacheDirectory'>,
  siteId: number,
): string => `${cacheDirectory}/${siteId}`

/** The path of a site's file. */
export const sitePathIn = ({ sitesDirectory }: Pick<NginxLayout, 'sitesDirectory'>, domain: string): string =>
  `${sitesDirectory}/${hostWord(domain)}.conf`

/** Lists the names of the sites that have a file. */
export async function siteNamesIn(
  files: Pick<Files, 'list'>,
  { sitesDirectory, slotPath }: Pick<NginxLayout, 'sitesDirectory' | 'slotPath'>,
): Promise<readonly string[]> {
  const names = await files.list(sitesDirectory)
  return names
    .filter((name) => name.endsWith('.conf') && `${sitesDirectory}/${name}` !== slotPath)
    .map((name) => name.slice(0, -'.conf'.length))
}

/** Returns the paths of the panel's directory inside nginx's. */
export function below(directory: string) {
  return {
    directory,
    sitesDirectory: `${directory}/sites`,
    certificatesDirectory: `${directory}/certificates`,
    passwordsDirectory: `${directory}/passwords`,
    slotPath: `${directory}/sites/000-candidate.conf`,
    generationPath: `${directory}/generation.conf`,
  }
}
