import { useSyncExternalStore } from 'react'
import { auth } from '../areas/auth/web/api.ts'
import { urlOf } from './call.ts'
import { clientVersion, type Tokens } from './wire.ts'

const hint = 'hostreeve.signed-in' // marks that a refresh cookie may exist; saves a request on a first visit
const earlyMs = 15_000

interface Access {
  readonly token: string
  readonly endsAt: number
}

/** unknown: the answer is pending. */
export type SessionState = 'unknown' | 'in' | 'out'

let access: Access | undefined
let state: SessionState = 'unknown'
let renewing: Promise<boolean> | undefined
const listeners = new Set<() => void>()

/** Returns the sign-in state, for components. */
export function useSessionState(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}

/** Returns true if the session of this tab has ended. */
export const isSignedOut = (): boolean => state === 'out'

/**
 * Returns the access token, renewed shortly before it expires; undefined if signed out. It stays in memory
 * only.
 */
export async function accessToken(): Promise<string | undefined> {
  if (access === undefined) return undefined
  if (access.endsAt - earlyMs < Date.now()) await renew()
  return access?.token
}

/** Stores the tokens of a sign-in or a renewal. */
export function enter({ access_token, expires_in }: Tokens): void {
  access = { token: access_token, endsAt: Date.now() + expires_in * 1000 }
  localStorage.setItem(hint, clientVersion)
  become('in')
}

/** Forgets the session in this tab. */
export function leave(): void {
  access = undefined
  localStorage.removeItem(hint)
  become('out')
}

/** Resumes the session of the refresh cookie, if there may be one. */
export async function resume(): Promise<void> {
  if (localStorage.getItem(hint) === null) return become('out')
  await renew()
}

/**
 * Renews the access token with the cookie; tabs do this one at a time because each renewal consumes the
 * cookie.
 */
export function renew(): Promise<boolean> {
  renewing ??= inTurn(askAgain).finally(() => (renewing = undefined))
  return renewing
}

async function askAgain(): Promise<boolean> {
  const call = auth.refresh({ body: {} })
  const answer = await fetch(urlOf(call), {
    method: call.method,
    headers: { 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(20_000),
  }).catch(() => undefined)
  if (answer?.ok) {
    enter(((await answer.json()) as { data: Tokens }).data)
    return true
  }
  if (answer === undefined || answer.status >= 500) {
    if (state === 'unknown') become('out')
    return false
  }
  leave()
  return false
}

/** The Web Locks API exists on https and loopback only; elsewhere a tab renews without a lock. */
function inTurn(work: () => Promise<boolean>): Promise<boolean> {
  return 'locks' in navigator ? navigator.locks.request('hostreeve.renew', work) : work()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function become(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}
