/** What sshd admits for an account: everything, SFTP in its own home, or nothing. */
export type Access = 'all' | 'sftp' | 'none'

export interface AccountAccess {
  readonly username: string
  readonly home: string
  readonly access: Access
  /** True if sshd takes the password of the account, whatever it does for others. */
  readonly takesPassword: boolean
}

/** sshd refuses a root directory that its user could write to: this one is root's, with the home mounted inside. */
export const rootOf = (username: string): string => `/var/lib/hostreeve_sftp/${username}`

/** Of two blocks that match an account, the first one counts (sshd_config(5)). */
export const dropInDirectory = '/etc/ssh/sshd_config.d'
export const dropInOf = (username: string): string => `${dropInDirectory}/00-hostreeve-${username}.conf`

/** Renders the file for an account; undefined if sshd treats it as any other. */
export function renderDropIn({ username, access, takesPassword }: AccountAccess): string | undefined {
  const settings = [
    ...settingsOf(username, access),
    ...(takesPassword && access !== 'none' ? ['PasswordAuthentication yes'] : []),
  ]
  if (settings.length === 0) return undefined
  const lines = [`Match User ${username}`, ...settings.map((setting) => `    ${setting}`)]
  return `# Written by Hostreeve for ${username}: change SSH and SFTP on the page of the user.\n${lines.join('\n')}\n`
}

function settingsOf(username: string, access: Access): readonly string[] {
  if (access === 'all') return []
  if (access === 'none') return [`DenyUsers ${username}`]
  return [
    `ChrootDirectory ${rootOf(username)}`,
    'ForceCommand internal-sftp',
    'DisableForwarding yes',
    'PermitTunnel no',
    'PermitTTY no',
    'PermitUserRC no',
  ]
}

/** The mount of the home at its own path below that root, so that paths in SFTP are those of the host. */
export interface HomeMount {
  /** The name of the unit, which systemd derives from the mount point (systemd.unit(5)). */
  readonly name: string
  readonly path: string
  readonly content: string
}

/** Renders the unit that mounts the home of an account. */
export function homeMount({ username, home }: Pick<AccountAccess, 'username' | 'home'>): HomeMount {
  const where = `${rootOf(username)}${home}`
  const name = `${escapePath(where)}.mount`
  const content = `# Written by Hostreeve: the home of ${username}, for SFTP without a shell.
[Unit]
Description=Home of ${username} for SFTP
[Mount]
What=${home.replaceAll('%', '%%')}
Where=${where.replaceAll('%', '%%')}
Type=none
Options=bind
[Install]
WantedBy=local-fs.target
`
  return { name, path: `/etc/systemd/system/${name}`, content }
}

/** True if a home can be named in a unit as it is: its file has no quotes for paths. */
export const isMountable = (home: string): boolean => /^(?:\/[A-Za-z0-9._%@+-]+)+$/.test(home)

/** As systemd-escape --path. */
const escapePath = (path: string): string =>
  path
    .slice(1)
    .split('/')
    .map((part) =>
      part.replaceAll(
        /[^A-Za-z0-9:_.]|^\./g,
        (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
      ),
    )
    .join('-')
