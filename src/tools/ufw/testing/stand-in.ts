import { mkdirSync, writeFileSync } from 'node:fs'
import type { Script } from '../../../host/testing/scripted-run.ts'

/** A file of ufw, shortened: what comes before its first rule, and one of its rules. */
export const beforeRules = (chain: string): string =>
  `*filter\n:${chain} - [0:0]\n# allow all on loopback\n-A ${chain} -i lo -j ACCEPT\nCOMMIT\n`

/** Puts the files of the package into a folder. */
export function placeUfw(root: string): void {
  mkdirSync(`${root}/etc/ufw`, { recursive: true })
  writeFileSync(`${root}/etc/ufw/before.rules`, beforeRules('ufw-before-input'))
  writeFileSync(`${root}/etc/ufw/before6.rules`, beforeRules('ufw6-before-input'))
}

/** Answers the commands by which the panel drives ufw, as where it is not active. */
export const scriptUfw: Script = ([program, ...args]) => {
  if (program === 'ufw') return args[0] === '--version' ? { stdout: 'ufw 0.36.2\n' } : {}
  const isTables = program === 'iptables' || program === 'ip6tables'
  return isTables ? { code: 1, stderr: 'iptables: No chain/target/match by that name.' } : undefined
}
