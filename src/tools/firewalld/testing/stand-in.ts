import { mkdirSync, writeFileSync } from 'node:fs'
import type { Script } from '../../../host/testing/scripted-run.ts'

/** A stand-in for a firewalld: its permanent rules are those of its files. */
export interface StandInFirewalld {
  isActive: boolean
  /** A rule of somebody that a reload loses; empty for none. */
  runtimeRule: string
  /** The loaded rules of the panel's policy; undefined where there is none. */
  loaded: string[] | undefined
  hasElements6: boolean
  reloads: number
  refusal: string
}

/** Makes one that runs without the panel's policy. */
export const standInFirewalld = (): StandInFirewalld => ({
  isActive: true,
  runtimeRule: '',
  loaded: undefined,
  hasElements6: false,
  reloads: 0,
  refusal: '',
})

/** Puts a file of the package into a folder. */
export function placeFirewalld(root: string): void {
  mkdirSync(`${root}/etc/firewalld`, { recursive: true })
  writeFileSync(`${root}/etc/firewalld/firewalld.conf`, 'DefaultZone=public\n')
}

/** Answers the commands by which the panel drives firewalld. */
export function scriptFirewalld(on: StandInFirewalld, readPolicy: () => string | undefined): Script {
  return ([program, ...args]) => {
    if (program === 'nft') return answerNft(on, args)
    if (program !== 'firewall-cmd') return undefined
    if (!on.isActive) return { code: 252, stderr: 'FirewallD is not running\n' }
    const line = args.join(' ')
    if (line === '--state') return { stdout: 'running\n' }
    if (on.refusal !== '') return { code: 1, stderr: on.refusal }
    if (line === '--reload') return reload(on, readPolicy())
    if (line === '--get-policies')
      return { stdout: `allow-host-ipv6${on.loaded === undefined ? '' : ' hostreeve'}\n` }
    if (line === '--policy=hostreeve --list-rich-rules') return { stdout: (on.loaded ?? []).join('\n') }
    if (args[0] === '--policy=hostreeve') return setRules(on, args.slice(1))
    return { stdout: list(on, line) }
  }
}

function reload(on: StandInFirewalld, policy: string | undefined) {
  const names = [...(policy ?? '').matchAll(/ipset="(\w+)"/g)].map(([, name]) => name)
  on.loaded = policy === undefined ? undefined : names.map((name) => `rule source ipset="${name}" accept`)
  on.runtimeRule = ''
  on.hasElements6 = false
  on.reloads += 1
  return { stdout: 'success\n' }
}

function setRules(on: StandInFirewalld, args: readonly string[]) {
  for (const arg of args) {
    const [, verb = '', rule = ''] = /^--(add|remove)-rich-rule=(.*)$/.exec(arg) ?? []
    on.loaded = (on.loaded ?? []).filter((each) => each !== rule)
    if (verb === 'add') on.loaded.push(rule)
  }
  return { stdout: 'success\n' }
}

function list({ runtimeRule, loaded }: StandInFirewalld, line: string): string {
  const isLive = !line.includes('--permanent')
  const state = isLive ? ' (active)' : ''
  if (line.endsWith('--list-all-zones'))
    return `public${state}\n  interfaces: ${isLive ? 'eth0' : ''}\n  ports: ${isLive ? runtimeRule : ''}\n\t\n`
  if (!line.endsWith('--list-all-policies')) return '\n'
  const own = isLive && loaded !== undefined ? `hostreeve${state}\n  target: CONTINUE\n\t\n` : ''
  return `${own}allow-host-ipv6${state}\n  target: CONTINUE\n\t\n`
}

function answerNft(on: StandInFirewalld, args: readonly string[]) {
  const line = args.join(' ')
  if (line === 'list set inet firewalld hostreeve6') {
    if (on.loaded === undefined) return { code: 1, stderr: 'Error: No such file or directory' }
    return { stdout: on.hasElements6 ? 'elements = { ::/1 . 0x10000000,\n 8000::/1 . 0x10000000 }' : '' }
  }
  if (!line.startsWith('add element inet firewalld hostreeve6 ')) return undefined
  on.hasElements6 = true
  return {}
}
