import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Script } from '../../../host/testing/scripted-run.ts'
import { childIn } from '../configuration.ts'

/** A strongSwan that runs in a test: what it has loaded, and what it would agree on. */
export interface StandInCharon {
  /** The texts of the loaded tunnels by the names of their connections. */
  readonly loaded: Map<string, string>
  /** The connections that the other gateways agree on. */
  readonly up: Set<string>
  /** What `swanctl --load-all` fails with. */
  refusal: string | undefined
  /** What a negotiation that fails prints. */
  failure: string
  /** Entries of the journal. */
  readonly journal: object[]
  /** The setting of the kernel. */
  forwards: string
  /** What `ip -json address show` prints. */
  addresses: object[]
  /** What `ip -json link show type bridge` prints. */
  readonly bridges: object[]
  /** The address from which the host reaches others; undefined where it does not. */
  source: string | undefined
}

/** Makes one that has loaded nothing, on a host with one address. */
export const standInCharon = (): StandInCharon => ({
  loaded: new Map(),
  up: new Set(),
  refusal: undefined,
  failure: '[IKE] received AUTHENTICATION_FAILED notify error\n',
  journal: [],
  forwards: '0',
  addresses: [
    { ifname: 'lo', addr_info: [{ local: '127.0.0.1', prefixlen: 8, scope: 'host' }] },
    { ifname: 'eth0', addr_info: [{ local: '192.0.2.1', prefixlen: 24, scope: 'global' }] },
    { ifname: 'eth1', addr_info: [{ local: '10.1.0.1', prefixlen: 16, scope: 'global' }] },
  ],
  bridges: [],
  source: '192.0.2.1',
})

/** Answers for swanctl, sysctl, ip and the journal of strongSwan, on files below a root. */
export function scriptCharon(charon: StandInCharon, root: () => string): Script {
  return ([program, ...args]) => {
    if (program === 'swanctl') return swanctl(charon, root(), args)
    if (program === 'sysctl') {
      if (args[0] === '-w') charon.forwards = args[1]?.split('=')[1] ?? ''
      return { stdout: `${charon.forwards}\n` }
    }
    if (program === 'ip' && args.includes('route'))
      return charon.source === undefined
        ? { code: 2, stderr: 'RTNETLINK answers: Network is unreachable' }
        : { stdout: JSON.stringify([{ dst: args.at(-1), prefsrc: charon.source }]) }
    if (program === 'ip' && args.includes('bridge')) return { stdout: JSON.stringify(charon.bridges) }
    if (program === 'ip') return { stdout: JSON.stringify(charon.addresses) }
    if (program === 'journalctl')
      return { stdout: charon.journal.map((entry) => `${JSON.stringify(entry)}\n`).join('') }
    return undefined
  }
}

function swanctl(charon: StandInCharon, root: string, args: readonly string[]) {
  const after = (option: string) => args[args.indexOf(option) + 1] ?? ''
  const names = [...charon.loaded.keys()]
  switch (args[0]) {
    case '--load-all':
      if (charon.refusal !== undefined) return { code: 22, stderr: charon.refusal }
      load(charon, `${root}/etc/swanctl/conf.d`)
      return {}
    case '--list-conns':
      return { stdout: names.map((name) => connection(name, charon.loaded.get(name) ?? '')).join('') }
    case '--list-sas':
      return {
        stdout: names
          .filter((name) => charon.up.has(name))
          .map(association)
          .join(''),
      }
    case '--terminate':
      return charon.up.delete(after('--ike'))
        ? {}
        : { code: 22, stderr: 'no matching SAs to terminate found' }
    case '--initiate':
      if (!charon.loaded.get(after('--ike'))?.includes(`${after('--child')} {`))
        return { code: 22, stderr: 'CHILD_SA config not found' }
      if (charon.failure !== '') return { code: 22, stdout: charon.failure, stderr: 'initiate failed' }
      charon.up.add(after('--ike'))
      return { stdout: 'initiate completed successfully\n' }
    default:
      return undefined
  }
}

function load(charon: StandInCharon, folder: string): void {
  charon.loaded.clear()
  for (const file of existsSync(folder) ? readdirSync(folder) : [])
    if (/^hostreeve-\d+\.conf$/.test(file))
      charon.loaded.set(file.replace('.conf', ''), readFileSync(`${folder}/${file}`, 'utf8'))
}

const connection = (name: string, text: string) =>
  `list-conn event {${name} {local_addrs=[%any] version=IKEv1 children {${childIn(text)} {mode=TUNNEL}}}}\n`

const association = (name: string) =>
  `list-sa event {${name} {uniqueid=1 version=1 state=ESTABLISHED remote-id=192.0.2.2 child-sas {${name}-1 {name=${name} uniqueid=1 state=INSTALLED bytes-in=84 bytes-out=168 install-time=5}}}}\n`
