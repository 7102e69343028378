import { auth } from '../areas/auth/web/api.ts'
import { urlOf } from './call.ts'
import { loaded, reach } from './connection.ts'
import { clientVersion, type Tokens } from './wire.ts'

const hint = 'hostreeve.signed-in' // marks that a refresh cookie may exist; saves a request on a first visit
const earlyMs = 15_000

interface Access {
  readonly token: string
  readonly endsAt: number
}

/** The sign-in state of this tab. */
export interface Session {
  /** unknown: the answer is pending. ended: the panel ended it, and its page waits for another sign-in. */
  readonly state: 'unknown' | 'in' | 'ended' | 'out'
  /** The user who is, or was, signed in. */
  readonly userId: number | undefined
}

/** The tabs of a browser have one session, whose access token each renewal replaces. */
let tabs: BroadcastChannel | undefined
let access: Access | undefined
let current: Session = { state: 'unknown', userId: undefined }
let renewing: Promise<boolean> | undefined
const listeners = new Set<() => void>()

/** Returns the sign-in state; the same object as long as nothing has changed. */
export const session = (): Session => current

/** Calls the listener after each change of the sign-in state; returns the end of that. */
export function onSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Returns true if the user of this tab has signed out. */
export const isSignedOut = (): boolean => current.state === 'out'

/** Returns true if the browser may have a session to resume. */
export const mayResume = (): boolean => localStorage.getItem(hint) !== null

/**
 * Returns the access token, renewed shortly before it expires; undefined if signed out. It stays in memory
 * only.
 */
export async function accessToken(): Promise<string | undefined> {
  if (access === undefined) return undefined
  if (access.endsAt - earlyMs < Date.now()) await renew(access.token)
  return access?.token
}

/** Stores the tokens of a sign-in or a renewal. */
export function enter({ access_token, expires_in, user }: Tokens): void {
  access = { token: access_token, endsAt: Date.now() + expires_in * 1000 }
  localStorage.setItem(hint, clientVersion)
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no target: it never leaves its origin
  tabs?.postMessage({ access, userId: user.id } satisfies Shared)
  become('in', user.id)
}

interface Shared {
  readonly access: Access
  readonly userId: number
}

function adopt({ data: shared }: MessageEvent<Shared>): void {
  if (shared.userId !== current.userId) return
  access = shared.access
  if (current.state === 'ended') become('in', shared.userId)
}

/** Forgets the session in this tab, and its page. */
export function leave(): void {
  access = undefined
  localStorage.removeItem(hint)
  become('out')
}

/** Notes that the panel has ended the session; an open page is kept until its user signs in again. */
export function end(): void {
  if (current.state !== 'in') return current.state === 'ended' ? undefined : leave()
  access = undefined
  localStorage.removeItem(hint)
  become('ended', current.userId)
}

/** Resumes the session of the refresh cookie, if there may be one. */
export async function resume(): Promise<void> {
  tabs = new BroadcastChannel('hostreeve.session')
  tabs.addEventListener('message', adopt)
  if (!mayResume()) return become('out')
  await loaded(async () => {
    if (!(await renew()) && current.state === 'unknown') throw new Error('the panel did not answer')
  }).catch(leave)
}

/**
 * Renews the access token with the cookie, unless another tab has replaced the refused token meanwhile. Tabs
 * do this one at a time because each renewal consumes the cookie.
 */
export function renew(refused?: string): Promise<boolean> {
  const isReplaced = () => access !== undefined && access.token !== refused
  renewing ??= inTurn(async () => isReplaced() || (await askAgain())).finally(() => (renewing = undefined))
  return renewing
}

async function askAgain(): Promise<boolean> {
  const call = auth.refresh({ body: {} })
  const answer = await reach(urlOf(call), {
    method: call.method,
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined)
  if (answer?.ok) {
    enter(((await answer.json()) as { data: Tokens }).data)
    return true
  }
  if (answer !== undefined && answer.status < 500) end()
  return false
}

/** The Web Locks API exists on https and loopback only; elsewhere a tab renews without a lock. */
function inTurn(work: () => Promise<boolean>): Promise<boolean> {
  return 'locks' in navigator ? navigator.locks.request('hostreeve.renew', work) : work()
}

function become(state: Session['state'], userId?: number): void {
  current = { state, userId }
  for (const listener of listeners) listener()
}
