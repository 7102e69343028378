import { X509Certificate } from 'node:crypto'
import type { AskAuthority } from './exchange.ts'
import { type RenewalWindow, retryAfterMs } from '../renewal.ts'

const maxAnswerBytes = 64 * 1024
const hourMs = 3_600_000

/** Returns the identifier of a certificate for renewal information (RFC 9773, section 4.1); null if it has none. */
export async function ariIdOf(pem: string): Promise<string | null> {
  await import('reflect-metadata') // required by @peculiar/x509, and must be imported first
  const x509 = await import('@peculiar/x509')
  const certificate = new x509.X509Certificate(new X509Certificate(pem).toString())
  const keyId = certificate.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId
  if (keyId === undefined) return null
  const hex = certificate.serialNumber.padStart(
    certificate.serialNumber.length + (certificate.serialNumber.length % 2),
    '0',
  )
  const signed = Number.parseInt(hex.slice(0, 2), 16) > 127 ? `00${hex}` : hex
  return [keyId, signed].map((text) => Buffer.from(text, 'hex').toString('base64url')).join('.')
}

interface Asking {
  readonly ask: AskAuthority
  readonly signal: AbortSignal
  readonly now: Date
}

/** The suggestion of a certificate authority, and when it wants to be asked again. */
export interface RenewalInfo {
  /** Undefined if the authority suggests none. */
  readonly window: RenewalWindow | undefined
  readonly askAgainMs: number
}

/** Asks a certificate authority when a certificate should be renewed (RFC 9773). */
export async function askRenewalInfo(
  directory: string,
  ariId: string,
  { ask, signal, now }: Asking,
): Promise<RenewalInfo> {
  const get = (url: string) => ask({ method: 'GET', url, maxBytes: maxAnswerBytes, signal })
  const base = fieldOf(jsonOf((await get(directory)).text), 'renewalInfo')
  if (typeof base !== 'string') return { window: undefined, askAgainMs: 24 * hourMs }
  const { status, text, headers } = await get(`${base}/${ariId}`)
  const asked = retryAfterMs(headers['retry-after'], now) ?? 6 * hourMs
  const askAgainMs = Math.min(Math.max(asked, 60_000), 24 * hourMs)
  return { window: status === 200 ? windowIn(text) : undefined, askAgainMs }
}

function windowIn(text: string): RenewalWindow | undefined {
  const suggested = fieldOf(jsonOf(text), 'suggestedWindow')
  const [start, end] = [fieldOf(suggested, 'start'), fieldOf(suggested, 'end')].map(
    (at) => new Date(String(at)),
  )
  return start !== undefined && end !== undefined && start < end ? { start, end } : undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // it suggests nothing
  }
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined
