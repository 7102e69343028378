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

/** What the other side is shown. */
export interface SignIn {
  readonly login: string
  readonly password?: string
  readonly privateKey?: string
}

/** Another host, as far as git may reach it. */
export interface OtherSide {
  readonly url: RemoteUrl
  /** Resolved and allowed by the policy on addresses. */
  readonly pinned: PinnedAddress
  readonly signIn?: SignIn | undefined
  /** The ssh keys that it must show one of; unset before the first contact. */
  readonly hostKeys?: HostKeys | undefined
  /** The fingerprint of the key that the caller trusts, in place of those. */
  readonly acceptHostKey?: string | undefined
  readonly signal?: AbortSignal | undefined
  readonly timeoutMs: number
  /** The field of the request that led there: failures name it. */
  readonly field: 'url' | 'remote'
  onLine(line: string): void
  /** Hears which keys the server shows where there were none, or others were accepted, before anything else is sent there. */
  onHostKeys(keys: HostKeys): Promise<void>
}

/** Runs git with a way to one other host. What it says goes to `onLine`, without secrets; how it fails is a Problem. */
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

/** ssh goes to the relay, and says so; the caller is told where that leads. */
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
  // Asking for keys proves nothing: whoever answers may show the true key beside one of his own. What was named counts, and nothing else.
  const trusted =
    acceptHostKey === undefined ? shown : shown.filter((key) => fingerprintOf(key) === acceptHostKey)
  if (trusted.length === 0)
    throw ServerKeyChanged(
      `accept_fingerprint: ${side.url.host} does not show ${acceptHostKey ?? ''}, but ${namesOf(shown)}`,
    )
  await side.onHostKeys(trusted)
  side.onLine(
    `${hostKeys === undefined ? 'First contact with' : 'New key of'} ${side.url.host}, kept from now on: ${namesOf(trusted)}`,
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

/** The file of git-credential-store(1), in the memory of this run's namespace alone. */
function credentialFile({ url, signIn }: OtherSide): Pick<GitRun, 'files'> {
  if (signIn?.password === undefined) return {}
  return {
    files: {
      credentials: `${url.scheme}://${encodeURIComponent(signIn.login)}:${encodeURIComponent(signIn.password)}@${url.authority}\n`,
    },
  }
}

/** Cuts what git says into lines; it overwrites a line of progress after each carriage return. */
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
      `credentials: ${host}: ${side.signIn === undefined ? 'it wants credentials' : 'it refuses these credentials'}${said(message)}`,
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

// That nobody was there to be asked is the panel's doing, and nothing that a caller could mend.
function said(message: string): string {
  const told = complaint(message.replaceAll(/^.*(?:askpass response|terminal prompts disabled).*$/gm, ''))
  return told === '' ? '' : `: ${told}`
}

async function changedKey(account: Account, side: OtherSide, relay: Relay): Promise<Error> {
  const shown = await scanHostKeys(account, side, relay)
  const known = namesOf(side.hostKeys ?? [])
  return ServerKeyChanged(
    `accept_fingerprint: ${side.url.host} shows another key than before: ${namesOf(shown)}, and not ${known}. Nothing was sent there. If its operator changed it, send accept_fingerprint with the new fingerprint`,
    { fields: { server_fingerprint: fingerprintOf(shown[0] ?? '') } },
  )
}
