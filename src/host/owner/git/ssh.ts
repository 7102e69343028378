import { createHash } from 'node:crypto'
import type { Account } from '../confinement.ts'
import { relayPort, runFolder } from './environment.ts'
import { Unreachable } from './problems.ts'
import type { Relay } from './relay.ts'
import type { RemoteUrl } from './remote-url.ts'
import { runGit } from './run.ts'

/** Public keys, one of which a server must present: the type and the key in base64, separated by a space. */
export type HostKeys = readonly string[]

const keyPattern = /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)) [A-Za-z0-9+/]{40,2000}={0,2}$/

interface Asked {
  readonly url: RemoteUrl
  /** The request field that names the host. */
  readonly field: string
  readonly signal?: AbortSignal | undefined
}

/** Asks a server for its keys (ssh-keyscan(1)), the strongest first, without signing in. */
export async function scanHostKeys(
  account: Account,
  { url, field, signal }: Asked,
  relay: Relay,
): Promise<HostKeys> {
  const args = ['-T', '15', '-t', 'ed25519,ecdsa,rsa', '-p', String(relayPort), '127.0.0.1']
  const { out } = await runGit(
    account,
    { args, network: relay.network, signal, timeoutMs: 60_000, maxBytes: 64 * 1024 },
    '/usr/bin/ssh-keyscan',
  )
  const lines = out.toString('utf8').split('\n')
  const keys = lines
    .map((line) => line.split(' ').slice(1, 3).join(' '))
    .filter((key) => keyPattern.test(key))
  if (keys.length === 0)
    throw Unreachable(
      `${field}: ${url.host}:${url.port}: ${relay.problem() ?? 'no ssh server answers there'}`,
    )
  const rank = (key: string) => ['ssh-ed25519', 'ecdsa'].findIndex((type) => key.startsWith(type)) >>> 0
  return [...new Set(keys)].sort((a, b) => rank(a) - rank(b)).slice(0, 6)
}

/** Returns the fingerprint of a public key as ssh-keygen(1) shows it. */
export function fingerprintOf(key: string): string {
  const digest = createHash('sha256').update(Buffer.from(key.split(' ')[1] ?? '', 'base64'))
  return `SHA256:${digest.digest('base64').replace(/=+$/, '')}`
}

/** Returns the files for ssh in its namespace: its settings for all hosts (ssh_config(5)), the keys of the one server, and the user it runs as. */
export function sshFiles(
  account: Account,
  { host }: RemoteUrl,
  keys: HostKeys,
  privateKey: string | undefined,
) {
  const settings = [
    'Host *',
    'HostName 127.0.0.1',
    `Port ${relayPort}`,
    `HostKeyAlias ${host}`,
    `UserKnownHostsFile ${runFolder}/known_hosts`,
    'GlobalKnownHostsFile /dev/null',
    'StrictHostKeyChecking yes',
    'UpdateHostKeys no',
    'VerifyHostKeyDNS no',
    'CheckHostIP no',
    'BatchMode yes',
    'PreferredAuthentications publickey',
    'IdentitiesOnly yes',
    'IdentityAgent none',
    `IdentityFile ${privateKey === undefined ? 'none' : `${runFolder}/identity`}`,
    'ProxyCommand none',
    'PermitLocalCommand no',
    'ControlMaster no',
    'ControlPath none',
    'ClearAllForwardings yes',
    'ForwardAgent no',
    'ForwardX11 no',
    'RequestTTY no',
    'ConnectTimeout 20',
    'ServerAliveInterval 15',
    'ServerAliveCountMax 4',
  ]
  return {
    files: {
      known_hosts: keys.map((key) => `${host} ${key}\n`).join(''),
      ...(privateKey !== undefined && { identity: `${privateKey.replaceAll('\r\n', '\n').trimEnd()}\n` }),
    },
    etc: {
      'ssh/ssh_config': `${settings.join('\n')}\n`,
      passwd: `owner:x:${account.uid}:${account.gid}::${runFolder}:/usr/sbin/nologin\n`,
    },
  }
}
