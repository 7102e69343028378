import { missing, type Script } from '../../src/host/testing/scripted-run.ts'
import { scriptUpdates } from '../../src/host/testing/scripted-updates.ts'
import { scriptNft, standInKernel } from '../../src/tools/nftables/testing/stand-in.ts'

/** Three processes as ps lists them, of which kill removes one; none has written to the journal. */
export function scriptProcesses(): Script {
  const processes = new Map([
    [1, { user: 'root', program: 'systemd' }],
    [4001, { user: 'ada', program: 'php-fpm' }],
    [4002, { user: 'bob', program: 'php-fpm' }],
  ])
  return (argv) => {
    const pid = Number(argv.at(-1))
    if (argv[0] === 'kill') return processes.delete(pid) ? {} : { code: 1, stderr: 'No such process' }
    if (argv[0] === 'journalctl') return {}
    if (argv[0] === 'sshd') return { code: 127 }
    if (argv[0] !== 'ps') return undefined
    if (argv.includes('-p')) {
      const found = processes.get(pid)
      return found === undefined
        ? { code: 1 }
        : { stdout: `Sun Nov 22 10:00:00 2026 S    ${found.program}\n` }
    }
    const rows = [...processes].map(([id, { user, program }]) => `${id} ${user} 0.1 0.2 6144 ${program}`)
    return { stdout: `${rows.join('\n')}\n` }
  }
}

/** Gives the home of a new account a folder, which useradd would. */
export function scriptAccountTools(
  accounts: Map<string, { uid: number; home: string }>,
  makeHome: (name: string, uid: number) => string,
): Script {
  return (argv) => {
    const name = argv.at(-1) ?? ''
    if (argv[0] !== 'useradd' || name === '--help' || accounts.has(name)) return undefined
    const uid = Math.max(...[...accounts.values()].map((account) => account.uid)) + 1
    accounts.set(name, { uid, home: makeHome(name, uid) })
    return {}
  }
}

/** The name and the time zone of a host that takes every name, and has the zone of Berlin alone. */
export const scriptMachine: Script = ([program, ...args]) => {
  if (program === 'hostname' || program === 'ln') return {}
  if (program === 'readlink') return { stdout: '/usr/share/zoneinfo/Europe/Berlin\n' }
  if (program === 'head') return { stdout: args.at(-1)?.endsWith('/Europe/Berlin') ? 'TZif' : '' }
  return undefined
}

/** One package of which the lists have a newer version. */
export const scriptSomeUpdates = (): Script =>
  scriptUpdates(
    new Map([
      ['nginx', { installed: '1.22.1', candidate: '1.22.2', source: 'Debian-Security:12/stable-security' }],
    ]),
  )

/** A host without Exim. */
const withoutExim: Script = ([program]) => (program === 'exim4' ? { code: 127 } : undefined)

/** Package lists without PHP. */
const withoutPhp: Script = ([program]) => (program === 'apt-cache' ? {} : undefined)

const networkTools = new Set(['setpriv', 'ping', 'traceroute', 'httping', 'tcpdump', 'timeout'])
/** A host without the programs of the network tools. */
const withoutNetworkTools: Script = ([program]) =>
  networkTools.has(program ?? '') ? { code: 127 } : undefined

/** A host without an interface, for the virtual address of the SQL proxy. */
const withoutInterfaces: Script = ([program]) => (program === 'ip' ? { stdout: '[]' } : undefined)

/** A host without LVM and without a log of the audit. */
const withoutVolumes: Script = ([program]) => {
  if (program === 'lvs' || program === 'vgs') return { code: 127 }
  return program === 'tail' ? { code: 1 } : undefined
}

/** What the pages of the menu ask the host for: processes, updates, rules of the firewall and its mail server, containers and backups. */
export const scriptPages = (): readonly Script[] => [
  scriptProcesses(),
  scriptSomeUpdates(),
  scriptNft(standInKernel()),
  withoutExim,
  withoutPhp,
  withoutNetworkTools,
  withoutVolumes,
  withoutInterfaces,
  ...[
    'dockerd',
    'iptables',
    'ip6tables',
    'iptables-restore',
    'ip6tables-restore',
    'dnsdist',
    'tar',
    'gpg',
    'gpgconf',
  ].map(missing),
]
