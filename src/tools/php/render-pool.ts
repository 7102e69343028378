import { createHash } from 'node:crypto'
import {
  logsDirectory,
  type MasterPlace,
  masterPath,
  pidPath,
  type PoolPlace,
  programOf,
  runDirectory,
  socketOf,
} from './pool.ts'

/** What the PHP of one site may do. */
export interface PoolDraft extends PoolPlace {
  readonly domain: string
  /** The folder of the site: PHP reads and writes nothing outside. */
  readonly folder: string
  readonly memoryMb: number
  readonly maxChildren: number
  readonly uploadMb: number
  readonly seconds: number
  /** Of the php.ini that the pool was rendered with: another one makes another generation. */
  readonly iniDigest: string
  readonly values: readonly { readonly name: string; readonly value: string; readonly isFixed: boolean }[]
}

/** The account that connects to the pools. */
const webServer = 'www-data'

/** How long a reload waits for requests that run; measured: without it, requests are lost. */
export const reloadSeconds = 20

/** The path on which a pool reports its generation; nginx passes only names of scripts that exist. */
export const generationPath = '/hostreeve-generation'

/** Quotes a value of php-fpm's configuration, which has no escapes. */
export function iniQuoted(value: string): string {
  if (/["\\$;{}\p{Cc}]/u.test(value))
    throw new Error(`php-fpm cannot represent this value: ${JSON.stringify(value)}`)
  return `"${value}"`
}

/** Renders the file of a pool. It reports a digest of its content, by which a reload is proved. */
export function renderPool(draft: PoolDraft): string {
  const lines = linesOf(draft)
  const generation = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 16)
  return [...lines, `ping.path = ${generationPath}`, `ping.response = ${generation}`, ''].join('\n')
}

/** Returns what a pool with this file reports. */
export const generationOf = (content: string): string | undefined =>
  /^ping\.response = ([0-9a-f]{16})$/m.exec(content)?.[1]

function linesOf(draft: PoolDraft): string[] {
  const { folder, uploadMb } = draft
  const own = `${folder}/php`
  const fixed = {
    open_basedir: `${folder}/`,
    'session.save_path': `${own}/sessions`,
    upload_tmp_dir: `${own}/tmp`,
    sys_temp_dir: `${own}/tmp`,
    error_log: `${own}/error.log`,
    memory_limit: `${draft.memoryMb}M`,
    upload_max_filesize: `${uploadMb}M`,
    post_max_size: `${uploadMb}M`,
    max_execution_time: String(draft.seconds),
    log_errors: 'On',
  }
  return [
    `; Site ${draft.id}, with php.ini ${draft.iniDigest}. Written by Hostreeve.`,
    `[site-${draft.id}]`,
    `user = ${draft.username}`,
    `listen = ${socketOf(draft)}`,
    `listen.owner = ${webServer}`,
    `listen.group = ${webServer}`,
    'listen.mode = 0600',
    'pm = ondemand',
    `pm.max_children = ${draft.maxChildren}`,
    'pm.process_idle_timeout = 30s',
    'pm.max_requests = 1000',
    // execution time of PHP leaves out what it waits for
    `request_terminate_timeout = ${draft.seconds + 5}s`,
    'security.limit_extensions = .php',
    `env[TMPDIR] = ${iniQuoted(`${own}/tmp`)}`,
    'php_value[display_errors] = "Off"',
    'php_value[session.gc_probability] = "1"', // Debian's cron job cleans only its own folder
    ...draft.values.map(
      ({ name, value, isFixed }) =>
        `php_${isFixed ? 'admin_' : ''}value[${settingName(name)}] = ${iniQuoted(value)}`,
    ),
    ...Object.entries(fixed).map(([name, value]) => `php_admin_value[${name}] = ${iniQuoted(value)}`),
  ]
}

function settingName(name: string): string {
  if (!/^[a-z][A-Za-z0-9_.]{0,99}$/.test(name)) throw new Error(`no PHP setting: ${JSON.stringify(name)}`)
  return name
}

/** Renders the file of a master over these files of pools. */
export function renderMaster(master: MasterPlace, pools: readonly string[]): string {
  return [
    '; Written by Hostreeve.',
    '[global]',
    `pid = ${pidPath(master)}`,
    `error_log = ${logsDirectory}/${master.username}-${master.version}.log`,
    `process_control_timeout = ${reloadSeconds}s`,
    ...pools.map((path) => `include = ${path}`),
    '',
  ].join('\n')
}

/**
 * Renders the unit of a master, in the slice of its owner. Programs that its PHP runs see no process of others and cannot write
 * to the system. They may gain privileges, as `mail()` hands its message to a sendmail that is set-uid.
 */
export function renderUnit(master: MasterPlace, uid: number): string {
  const { version, username } = master
  return [
    '# Written by Hostreeve.',
    '[Unit]',
    `Description=PHP ${version} of ${username}`,
    'After=network.target',
    '[Service]',
    'Type=notify',
    `ExecStart=${programOf(version)} --nodaemonize --fpm-config ${masterPath(master)}`,
    'ExecReload=/bin/kill -USR2 $MAINPID',
    'KillSignal=SIGQUIT',
    'KillMode=mixed',
    `TimeoutStopSec=${reloadSeconds + 10}`,
    'Restart=always',
    'RestartSec=1',
    `RuntimeDirectory=${runDirectory(master).slice('/run/'.length)}`,
    'RuntimeDirectoryMode=0711',
    `Slice=user-${uid}.slice`,
    'PrivateTmp=yes',
    'ProtectProc=invisible',
    'ProtectSystem=full',
    '[Install]',
    'WantedBy=multi-user.target',
    '',
  ].join('\n')
}
