import type { RunResult } from '../run.ts'
import type { Script } from './scripted-run.ts'

/** An account of a scripted host. */
export interface ScriptedAccount {
  uid: number
  home?: string
  comment?: string
  shell?: string
  /** The field of the password as shadow(5) has it. */
  hash?: string
  expires?: string
  /** Further groups. */
  groups?: readonly string[]
  /** A rule of sudoers(5) for the account, as `sudo --list` prints it. */
  sudoRule?: string
}

function sudoList(name: string, accounts: ReadonlyMap<string, ScriptedAccount>): Partial<RunResult> {
  const account = accounts.get(name)
  if (account === undefined) return { code: 1, stderr: `sudo: unknown user ${name}` }
  if (account.sudoRule === undefined) return { stdout: `User ${name} is not allowed to run sudo on host.\n` }
  return { stdout: `User ${name} may run the following commands on host:\n    ${account.sudoRule}\n` }
}

/** Accounts as getent, useradd, usermod and userdel report them; their changes show in the map. */
export function scriptAccounts(
  accounts: Map<string, ScriptedAccount>,
  groups: Readonly<Record<string, number>> = { 'www-data': 33 },
): Script {
  return (argv) => {
    const name = argv.at(-1) ?? ''
    const found = accounts.get(name)
    switch (argv[0] === 'getent' ? `getent ${argv[1]}` : argv[0]) {
      case 'getent passwd':
        if (name === 'passwd')
          return {
            stdout: [...accounts.keys()].map((each) => passwdLine(each, accounts.get(each)!)).join(''),
          }
        return found === undefined ? { code: 2 } : { stdout: passwdLine(name, found) }
      case 'getent shadow':
        return found === undefined
          ? { code: 2 }
          : { stdout: `${name}:${found.hash ?? '!'}:20000:0:99999:7::${found.expires ?? ''}:\n` }
      case 'getent group':
        return groups[name] === undefined ? { code: 2 } : { stdout: `${name}:x:${groups[name]}:\n` }
      case 'useradd':
        if (name === '--help') return {}
        if (found !== undefined) return { code: 9, stderr: `useradd: user '${name}' already exists` }
        accounts.set(name, {
          uid: argv.includes('--uid')
            ? Number(argv[argv.indexOf('--uid') + 1])
            : Math.max(999, ...[...accounts.values()].map((each) => each.uid)) + 1,
          comment: argv[argv.indexOf('--comment') + 1] ?? '',
        })
        return {}
      case 'id':
        return found === undefined
          ? { code: 1, stderr: `id: ${name}: no such user` }
          : { stdout: `${[name, ...(found.groups ?? [])].join(' ')}\n` }
      case 'sudo':
        return sudoList(name.replace('--other-user=', ''), accounts)
      case 'usermod':
        if (found === undefined) return { code: 6, stderr: `usermod: user '${name}' does not exist` }
        return modify(found, argv)
      case 'userdel':
        return accounts.delete(name) ? {} : { code: 6, stderr: `userdel: user '${name}' does not exist` }
      case 'pkill':
        return { code: 1 }
      case 'find':
        return {}
      default:
        return undefined
    }
  }
}

const passwdLine = (name: string, { uid, comment = '', home, shell }: ScriptedAccount): string =>
  `${name}:x:${uid}:${uid}:${comment}:${home ?? `/home/${name}`}:${shell ?? '/bin/bash'}\n`

function modify(account: ScriptedAccount, argv: readonly string[]) {
  const { hash = '!' } = account
  if (argv.includes('--unlock') && hash === '!')
    return { code: 1, stderr: 'usermod: unlocking would result in a passwordless account' }
  account.shell = argv[argv.indexOf('--shell') + 1] ?? ''
  account.expires = argv[argv.indexOf('--expiredate') + 1] ?? ''
  if (argv.includes('--lock') && !hash.startsWith('!')) account.hash = `!${hash}`
  if (argv.includes('--unlock')) account.hash = hash.replace(/^!/, '')
  return {}
}

/** Debian packages: the installed ones, and those that apt-get can install; an installation shows in the map. */
export function scriptPackages(
  installed: Map<string, string>,
  available: Readonly<Record<string, string>> = {},
): Script {
  return (argv) => {
    if (argv[0] === 'apt-get' && argv[1] === '--version') return { stdout: 'apt 2.6.1 (amd64)\n' }
    if (argv[0] === 'apt-get' && argv.at(-1) === 'update') return {}
    if (argv[0] === 'apt-mark' || argv[0] === 'dpkg') return {}
    if (argv[0] === 'dpkg-query' && argv.at(-1)?.startsWith('--showformat='))
      return { stdout: [...installed.keys()].map((name) => `installed ${name}\n`).join('') }
    if (argv[0] === 'dpkg-query') {
      const version = installed.get(argv.at(-1) ?? '')
      return version === undefined
        ? { code: 1, stderr: 'dpkg-query: no packages found' }
        : { stdout: `installed ${version}` }
    }
    if (argv[0] === 'apt-get' && argv.includes('remove')) {
      const leaving = argv.slice(argv.indexOf('--') + 1)
      if (argv.includes('--simulate'))
        return { stdout: leaving.map((name) => `Remv ${name} [${installed.get(name)}]`).join('\n') }
      leaving.forEach((name) => installed.delete(name))
      return {}
    }
    if (argv[0] === 'apt-get' && argv.includes('--simulate')) return {} // no updates are pending
    if (argv[0] !== 'apt-get' || !argv.includes('install')) return undefined
    const names = argv.slice(argv.indexOf('--') + 1)
    const unknown = names.find((name) => available[name] === undefined)
    if (unknown !== undefined) return { code: 100, stderr: `E: Unable to locate package ${unknown}` }
    if (!argv.includes('--download-only')) names.forEach((name) => installed.set(name, available[name]!))
    return {}
  }
}

/** Services of systemd; the host needs a directory /run/systemd/system below its root. */
export function scriptSystemd(services: Map<string, { isActive: boolean; isEnabled: boolean }>): Script {
  return (argv) => {
    if (argv[0] !== 'systemctl') return undefined
    if (argv[1] === '--version') return { stdout: 'systemd 252 (252.39-1~deb12u1)\n' }
    if (argv[1] === 'daemon-reload') return {}
    if (argv[1] === 'list-units') return { stdout: [...services].map(unitLine).join('\n') }
    const unit = argv.at(-1) ?? ''
    const chosen = [...services].filter(([name]) => argv.includes(`${name}.service`))
    if (argv[1] === 'show')
      return {
        stdout:
          chosen.map(([name, service]) => showUnit(name, service)).join('\n') || 'LoadState=not-found\n',
      }
    const service = chosen[0]?.[1]
    if (service === undefined) return { code: 5, stderr: `Unit ${unit} not loaded.` }
    return act(service, argv[2] ?? '') ? {} : undefined
  }
}

type ScriptedService = readonly [name: string, { readonly isActive: boolean; readonly isEnabled: boolean }]

const unitLine = ([name, { isActive }]: ScriptedService) =>
  `${name}.service loaded ${isActive ? 'active running' : 'inactive dead'} The ${name} service`

function act(service: { isActive: boolean; isEnabled: boolean }, verb: string): boolean {
  if (['start', 'restart', 'reload'].includes(verb)) service.isActive = true
  if (verb === 'stop') service.isActive = false
  if (verb === 'enable' || verb === 'disable') service.isEnabled = verb === 'enable'
  return ['start', 'restart', 'reload', 'stop', 'enable', 'disable'].includes(verb)
}

function showUnit(name: string, { isActive, isEnabled }: { isActive: boolean; isEnabled: boolean }): string {
  return [
    'Result=success',
    `MemoryCurrent=${isActive ? '6291456' : '[not set]'}`,
    `Id=${name}.service`,
    `Description=The ${name} service`,
    'LoadState=loaded',
    `ActiveState=${isActive ? 'active' : 'inactive'}`,
    `SubState=${isActive ? 'running' : 'dead'}`,
    `UnitFileState=${isEnabled ? 'enabled' : 'disabled'}`,
    `ActiveEnterTimestamp=${isActive ? 'Sat 2026-11-21 05:12:13 UTC' : ''}`,
    `InactiveEnterTimestamp=${isActive ? '' : 'Sat 2026-11-21 05:20:00 UTC'}`,
    '',
  ].join('\n')
}
