import { Problem } from '../../core/problem.ts'
import { FetchFailed } from './problems.ts'
import { shownUrl } from './url.ts'

const messages: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was closed'],
  ['EPIPE', 'the connection was closed'],
  ['ETIMEDOUT', 'the host did not answer'],
  ['EHOSTUNREACH', 'the host cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
])

/** Converts a failed connection to a message for the caller; a cancelled one fails with the reason of its signal. */
export function failureOf(error: unknown, url: URL, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted === true) return signal.reason
  if (error instanceof Problem) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return FetchFailed(
    `url: ${shownUrl(url)}: ${messages.get(code) ?? tlsMessage(error, code) ?? `the answer cannot be read (${code || 'unknown'})`}`,
  )
}

// OpenSSL's own messages, such as "self-signed certificate", contain no address.
function tlsMessage(error: unknown, code: string): string | undefined {
  if (!(error instanceof Error) || !/CERT|TLS|SSL|EPROTO|SIGNATURE|ISSUER/.test(code)) return undefined
  return `the server cannot be trusted: ${error.message.split('\n')[0]?.slice(0, 200) ?? code}`
}
