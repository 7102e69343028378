/** The pool of one site: which PHP runs it, and as whom. */
export interface PoolPlace {
  /** The id of the site. */
  readonly id: number
  /** Such as `8.2`. */
  readonly version: string
  /** The Linux account that owns the site. */
  readonly username: string
}

/** Which master runs a pool: each owner has one for each version. */
export type MasterPlace = Pick<PoolPlace, 'version' | 'username'>

/** True for the number of a version as Debian names it in packages and paths. */
export const isVersion = (text: string): boolean => /^\d\.\d{1,2}$/.test(text)

const checked = ({ version, username }: MasterPlace): string => {
  if (!isVersion(version) || !/^[a-z_][a-z0-9_-]{0,31}$/.test(username))
    throw new Error(`no PHP ${JSON.stringify(version)} of ${JSON.stringify(username)}`)
  return username
}

/** The program of a version, as Debian names it. */
export const programOf = (version: string): string => `/usr/sbin/php-fpm${version}`

/** The directory of the sockets of a master. */
export const runDirectory = (master: MasterPlace): string =>
  `/run/hostreeve-php/${checked(master)}-${master.version}`

/** The socket of a pool, named by the id because a path of a socket has at most 107 bytes. */
export const socketOf = (pool: PoolPlace): string => `${runDirectory(pool)}/site-${pool.id}.sock`

/** The file in which a master notes its process. */
export const pidPath = (master: MasterPlace): string => `${runDirectory(master)}/master.pid`

/** The configuration of a master. */
export const masterPath = (master: MasterPlace): string =>
  `/etc/php/${master.version}/fpm/hostreeve/${checked(master)}.conf`

/** The directory of the pools of a master. */
export const poolsDirectory = (master: MasterPlace): string =>
  `/etc/php/${master.version}/fpm/hostreeve/${checked(master)}`

/** The configuration of a pool. */
export const poolPath = (pool: PoolPlace): string => `${poolsDirectory(pool)}/site-${pool.id}.conf`

/** The directory of the logs of masters, which only root can read. */
export const logsDirectory = '/var/log/hostreeve/php'

/** The service of a master. */
export const unitOf = (master: MasterPlace): string => `hostreeve-php${master.version}-${checked(master)}`

/** The unit file of a master. */
export const unitPath = (master: MasterPlace): string => `/etc/systemd/system/${unitOf(master)}.service`

/** The directory of the configuration of a version. */
export const configDirectory = (version: string): string => {
  if (!isVersion(version)) throw new Error(`no version of PHP: ${JSON.stringify(version)}`)
  return `/etc/php/${version}/fpm`
}

/** The php.ini of a version. */
export const iniPath = (version: string): string => `${configDirectory(version)}/php.ini`

/** The service that Debian's package brings, with a pool that no site uses. */
export const packagedUnit = (version: string): string => `php${version}-fpm`
