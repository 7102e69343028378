import { fetchProblems } from '../../host/fetch/index.ts'
import { jsonIn, parseToken, refusalIn } from './answers.ts'
import type { GraphDoors, GraphSettings } from './parts.ts'
import { GraphRefusal, passingStatuses } from './problems.ts'

const mostBytes = 256 * 1024

/** Signs in as an application, and keeps the token until nine tenths of its life are over. */
export function openToken({ tenantId, clientId, clientSecret }: GraphSettings, doors: GraphDoors) {
  let kept: { readonly token: string; readonly untilMs: number } | undefined
  let asking: Promise<string> | undefined
  // a national cloud takes the address of its own Graph alone
  const scope = `${URL.parse(doors.graphUrl)?.origin ?? doors.graphUrl}/.default`
  const url = `${doors.loginUrl.replace(/\/+$/, '')}/${encodeURIComponent(tenantId)}/oauth2/v2.0/token`
  const ask = async (signal: AbortSignal) => {
    const form = { client_id: clientId, client_secret: clientSecret, scope, grant_type: 'client_credentials' }
    const { status, text } = await doors.fetch.exchange({
      method: 'POST',
      url,
      asker: { isAdmin: true },
      body: {
        text: new URLSearchParams(form).toString(),
        contentType: 'application/x-www-form-urlencoded',
      },
      maxBytes: mostBytes,
      signal,
    })
    const answer = jsonIn(text)
    if (passingStatuses.has(status))
      throw fetchProblems.FetchFailed(`the sign-in was answered with ${status}`)
    if (status !== 200) {
      const { code, message } = refusalIn(answer)
      throw new GraphRefusal(status, code, `the sign-in was refused: ${message}`)
    }
    const { access_token: token, expires_in: seconds } = parseToken(answer)
    kept = { token, untilMs: performance.now() + seconds * 900 }
    return token
  }
  return {
    /** Returns a token that is valid now; throws GraphRefusal. */
    current: async (signal: AbortSignal): Promise<string> => {
      if (kept !== undefined && performance.now() < kept.untilMs) return kept.token
      asking ??= ask(signal).finally(() => (asking = undefined))
      return asking
    },
    /** Has the next request sign in again, unless somebody already did. */
    forget: (token: string): void => {
      if (kept?.token === token) kept = undefined
    },
  }
}
