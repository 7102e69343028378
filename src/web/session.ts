import { useSyncExternalStore } from 'react'
import { auth } from '../areas/auth/web/api.ts'
import { urlOf } from './call.ts'
import { clientVersion, type Tokens } from './wire.ts'

const hint = 'hostreeve.signed-in' // says only that a refresh cookie may be there, so that a first visit asks for nothing
const earlyMs = 15_000

interface Access {
  readonly token: string
  readonly endsAt: number
}

/** unknown: it is being asked for. */
export type SessionState = 'unknown' | 'in' | 'out'

let access: Access | undefined
let state: SessionState = 'unknown'
let renewing: Promise<boolean> | undefined
const listeners = new Set<() => void>()

/** Whether somebody is signed in, for components. */
export function useSessionState(): SessionState {
  return useSyncExternalStore(subscribe, () => state)
}

/** Whether the session of this tab has ended. */
export const isSignedOut = (): boolean => state === 'out'

/** The access token, renewed when it is about to end; undefined when nobody is signed in. It never leaves memory. */
export async function accessToken(): Promise<string | undefined> {
  if (access === undefined) return undefined
  if (access.endsAt - earlyMs < Date.now()) await renew()
  return access?.token
}

/** Takes the tokens of a sign-in or a renewal. */
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

/** Goes on with the session of the cookie, where there may be one. */
export async function resume(): Promise<void> {
  if (localStorage.getItem(hint) === null) return become('out')
  await renew()
}

/** Gets a new access token for the cookie; tabs take turns, because each renewal uses the cookie up. */
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

/** Locks exist on https and loopback only; elsewhere a tab renews alone. */
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
