import type { Change } from '../../core/change.ts'
import type { TokensReply } from './sessions.ts'

const refreshMs = 30 * 86_400_000

/** What goes into the cookie beside the reply, where the browser asked for one. */
type WithCookie = TokensReply & { readonly cookie?: string }

/** Moves the refresh token out of the reply, so that no script of the page ever sees it. */
export function withoutRefreshToken(change: Change<TokensReply>, isCookie: boolean): Change<TokensReply> {
  if (!isCookie || change.refusal) return change
  const reply = change.reply as TokensReply
  const moved: WithCookie = { ...reply, refresh_token: '' }
  Object.defineProperty(moved, 'cookie', { value: reply.refresh_token, enumerable: false }) // never serialised
  return { ...change, reply: moved }
}

/** The cookie that a reply asks for. */
export function inCookie(
  reply: WithCookie,
): { readonly token: string; readonly expiresAt: Date } | undefined {
  return reply.cookie === undefined
    ? undefined
    : { token: reply.cookie, expiresAt: new Date(Date.now() + refreshMs) }
}
