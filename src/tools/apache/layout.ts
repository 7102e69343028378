import { hostWord } from '../nginx/quote.ts'
import { debianLayout as nginxLayout, type NginxLayout } from '../nginx/layout.ts'

/** What both web servers use at the paths of nginx's tool: logs, certificates, answers to challenges. */
type SharedLayout = Pick<
  NginxLayout,
  'logsDirectory' | 'certificatesDirectory' | 'challengesDirectory' | 'logrotatePath' | 'pidPath'
>

/** The paths of Apache and of the files that the panel gives it, and the addresses on which sites listen. */
export interface ApacheLayout {
  readonly configPath: string
  /** The panel's only file among the administrator's sites. */
  readonly ownConfigPath: string
  readonly directory: string
  readonly sitesDirectory: string
  /** Always present and always empty: new files are included by what is mounted over it for the check. */
  readonly slotPath: string
  readonly generationPath: string
  /** The certificate for names that belong to no site, with its key. */
  readonly defaultCertificatePath: string
  readonly modulesDirectory: string
  readonly runDirectory: string
  readonly pidPath: string
  readonly errorLogPath: string
  /** As `<VirtualHost>` names them. */
  readonly listen: string
  readonly listenTls: string
  readonly ports: { readonly http: number; readonly https: number }
  readonly shared: SharedLayout
}

/** Returns the paths of the panel's directory inside Apache's. */
export function below(directory: string) {
  return {
    directory,
    sitesDirectory: `${directory}/sites`,
    slotPath: `${directory}/sites/000-candidate.conf`,
    generationPath: `${directory}/generation.conf`,
    defaultCertificatePath: `${directory}/default.pem`,
  }
}

/** The layout of Debian's apache2 package. */
export const debianLayout: ApacheLayout = {
  ...below('/etc/apache2/hostreeve'),
  configPath: '/etc/apache2/apache2.conf',
  ownConfigPath: '/etc/apache2/sites-available/hostreeve.conf',
  modulesDirectory: '/usr/lib/apache2/modules',
  runDirectory: '/run/apache2',
  pidPath: '/run/apache2/apache2.pid',
  errorLogPath: '/var/log/apache2/error.log',
  listen: '*:80',
  listenTls: '*:443',
  ports: { http: 80, https: 443 },
  shared: nginxLayout,
}

/** The path of a site's file. */
export const sitePathIn = (
  { sitesDirectory }: Pick<ApacheLayout, 'sitesDirectory'>,
  domain: string,
): string => `${sitesDirectory}/${hostWord(domain)}.conf`
