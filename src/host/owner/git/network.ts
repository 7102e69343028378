import type { PinnedAddress } from '../../fetch/index.ts'
import type { Account } from '../confinement.ts'
import { printable } from '../failures.ts'
import { relayPort, runFolder, type Setting } from './environment.ts'
import { gitFailure } from './failures.ts'
import { ServerKeyChanged, SignInRefused, Unreachable, UrlRefused } from './problems.ts'
import { openRelay, type Relay } from './relay.ts'
import type { RemoteUrl } from './remote-url.ts'
import { type GitEnd, type GitRun, runGit } from './run.ts'
import { fingerprintOf, type HostKeys, scanHostKeys, sshFiles } from './ssh.ts'
import { type Alias, complaint, fromHome, scrubber } from './message.ts'

/** The credentials for the remote host. */
export interface SignIn {
  readonly login: string
  readonly password?: string
  readonly privateKey?: string
}

/** A remote host, and the conditions under which git may reach it. */
export interface OtherSide {
  readonly url: RemoteUrl
  /** Resolved, and allowed by the policy on addresses. */
  readonly pinned: PinnedAddress
  readonly signIn?: SignIn | undefined
  /** The ssh host keys, one of which the server must present; unset before the first contact. */
  readonly hostKeys?: HostKeys | undefined
  /** The fingerprint of the key that the caller trusts instead of those. */
  readonly acceptHostKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs: number
  /** The request field that names the host, for failures. */
  readonly field: 'url' | 'remote'
  onLine(line: string): void
  /** Receives the server's keys on first contact, or newly accepted ones, before anything else is sent there. */
  onHostKeys(keys: HostKeys): Promise<void>
}

/** Runs git with access to one other host. Its output goes to `onLine`, without secrets; failures are Problems. */
export async function runWithNetwork(
  account: Account,
  side: OtherSide,
  run: GitRun,
  aliases: readonly Alias[] = [],
): Promise<GitEnd> {
  refuseWrongSignIn(side)
  const relay = await openRelay(side.url, side.pinned)
  try {
    const keys = side.url.scheme === 'ssh' ? await keysOf(account, side, relay) : []
    const secrets = [side.signIn?.password, side.signIn?.privateKey].filter((each) => each !== undefined)
    const scrub = scrubber(secrets, [...aliases, ...aliasesOf(side)])
    const lines = lineReader((line) => side.onLine(scrub(line)))
    const end = await runGit(account, {
      ...run,
      ...(side.url.scheme === 'ssh'
        ? sshFiles(account, side.url, keys, side.signIn?.privateKey)
        : credentialFile(side)),
      settings: [...settingsOf(side), ...(run.settings ?? [])],
      network: relay.network,
      timeoutMs: side.timeoutMs,
      signal: side.signal,
      onMessage: lines,
    })
    if (end.code !== 0)
      throw await failure(
        account,
        side,
        relay,
        fromHome(scrub(end.message + end.out.toString('utf8')), account.home),
      )
    return end
  } finally {
    await relay.close()
  }
}

/** ssh connects to the relay and names it in messages; the caller is shown the real host. */
function aliasesOf({ url: { scheme, host, port } }: OtherSide): readonly Alias[] {
  if (scheme !== 'ssh') return []
  return [
    [`"${runFolder}/identity"`, 'private_key'],
    [`127.0.0.1 port ${relayPort}`, `${host} port ${port}`],
    [`[127.0.0.1]:${relayPort}`, host],
    ['@127.0.0.1:', `@${host}:`],
  ]
}

function refuseWrongSignIn({ url, signIn }: OtherSide): void {
  if (signIn === undefined) return
  if (url.scheme === 'ssh' && signIn.privateKey === undefined)
    throw UrlRefused('credentials.private_key: ssh signs in with a private key, not with a password')
  if (url.scheme !== 'ssh' && signIn.password === undefined)
    throw UrlRefused(`credentials.password: ${url.scheme} signs in with a password or token`)
}

async function keysOf(account: Account, side: OtherSide, relay: Relay): Promise<HostKeys> {
  const { hostKeys, acceptHostKey } = side
  if (
    hostKeys !== undefined &&
    (acceptHostKey === undefined || hostKeys.some((key) => fingerprintOf(key) === acceptHostKey))
  )
    return hostKeys
  const shown = await scanHostKeys(account, side, relay)
  // Asking for keys proves nothing: an attacker may present the true key along with one of their own. Only the accepted fingerprint counts.
  const trusted =
    acceptHostKey === undefined ? shown : shown.filter((key) => fingerprintOf(key) === acceptHostKey)
  if (trusted.length === 0)
    throw ServerKeyChanged(
      `accept_fingerprint: ${side.url.host} does not present ${acceptHostKey ?? ''}, but ${namesOf(shown)}`,
    )
  await side.onHostKeys(trusted)
  side.onLine(
    `${hostKeys === undefined ? 'First contact with' : 'New key of'} ${side.url.host}, trusted from now on: ${namesOf(trusted)}`,
  )
  return trusted
}

const namesOf = (keys: HostKeys): string =>
  keys.map((key) => `${fingerprintOf(key)} (${key.split(' ')[0]})`).join(', ')

function settingsOf({ url, signIn }: OtherSide): readonly Setting[] {
  if (url.scheme === 'ssh')
    return url.withoutPort === undefined ? [] : [[`url.${url.withoutPort}.insteadOf`, url.text]]
  return signIn === undefined ? [] : [['credential.helper', `store --file=${credentials}`]]
}

const credentials = `${runFolder}/credentials`

/** The file of git-credential-store(1), only in the memory of this run's namespace. */
function credentialFile({ url, signIn }: OtherSide): Pick<GitRun, 'files'> {
  if (signIn?.password === undefined) return {}
  return {
    files: {
      credentials: `${url.scheme}://${encodeURIComponent(signIn.login)}:${encodeURIComponent(signIn.password)}@${url.authority}\n`,
    },
  }
}

/** Splits git's output into lines; it overwrites a progress line after each carriage return. */
function lineReader(onLine: (line: string) => void): (message: string) => void {
  let rest = ''
  return (message) => {
    const lines = (rest + message).split(/[\r\n]+/)
    rest = (lines.pop() ?? '').slice(-4000)
    for (const line of lines) if (line.trim() !== '') onLine(printable(line))
  }
}

async function failure(account: Account, side: OtherSide, relay: Relay, message: string): Promise<Error> {
  const host = `${side.url.host}:${side.url.port}`
  const where = `${side.field}: ${host}`
  const problem = relay.problem()
  if (problem !== undefined) return Unreachable(`${where}: ${problem}`)
  if (
    /Host key verification failed|REMOTE HOST IDENTIFICATION HAS CHANGED|No .* host key is known/.test(
      message,
    )
  )
    return changedKey(account, side, relay)
  if (
    /Permission denied \(|Authentication failed|could not read (?:Username|Password)|error: 401|error: 403|Load key /.test(
      message,
    )
  )
    return SignInRefused(
      `credentials: ${host}: ${side.signIn === undefined ? 'it requires credentials' : 'it rejected these credentials'}${detailsOf(message)}`,
    )
  if (
    /Could not resolve|Failed to connect|Connection (?:closed|refused|timed out)|certificate|SSL|TLS|gnutls/i.test(
      message,
    )
  )
    return Unreachable(`${where}: ${complaint(message)}`)
  const isBranch = /[Cc]ouldn't find remote ref|Remote branch .* not found/.test(message)
  return gitFailure(message, `${isBranch ? 'branch' : side.field}: ${host}: `)
}

// The failed prompt is caused by the panel, and the caller cannot fix it.
function detailsOf(message: string): string {
  const details = complaint(message.replaceAll(/^.*(?:askpass response|terminal prompts disabled).*$/gm, ''))
  return details === '' ? '' : `: ${details}`
}

async function changedKey(account: Account, side: OtherSide, relay: Relay): Promise<Error> {
  const shown = await scanHostKeys(account, side, relay)
  const known = namesOf(side.hostKeys ?? [])
  return ServerKeyChanged(
    `accept_fingerprint: ${side.url.host} presents a different key than before: ${namesOf(shown)}, not ${known}. Nothing was sent. If its operator changed the key, send accept_fingerprint with the new fingerprint`,
    { fields: { server_fingerprint: fingerprintOf(shown[0] ?? '') } },
  )
}
