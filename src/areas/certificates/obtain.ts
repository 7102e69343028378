import type { StepRun } from '../../core/change.ts'
import type { Host } from '../../host/index.ts'
import type { Nginx } from '../../tools/nginx/index.ts'
import { accountKeyOf } from './acme/account-key.ts'
import type { AskAuthority } from './acme/exchange.ts'
import { messageOf, orderCertificate, type Ordered, type Wanted } from './acme/order.ts'
import type { DnsChallenges } from './challenges.ts'
import { OrderFailed } from './problems.ts'
import { retryAfterMs, retryAt } from './renewal.ts'

/** The means by which a certificate authority is asked, and its challenges are answered. */
export interface Obtaining {
  readonly host: Pick<Host, 'files'>
  readonly nginx: Nginx
  /** Asks the certificate authority. */
  readonly ask: AskAuthority
  /** Undefined if no area publishes records of this name. */
  readonly dnsFor: (name: string) => Promise<DnsChallenges | undefined>
  /** The directory of the account keys. */
  readonly keys: string
}

/** A failed order. */
export interface Failed {
  readonly message: string
  /** What the authority answered as Retry-After. */
  readonly asked: string | undefined
}

/** Orders a certificate; a failure is given to `noteFailure`, unless the order was cancelled. */
export async function obtain(
  on: Obtaining,
  wanted: Omit<Wanted, 'accountKey'>,
  { signal, progress }: Pick<StepRun<unknown>, 'signal' | 'progress'>,
  noteFailure: (failed: Failed) => Promise<void>,
): Promise<Ordered> {
  const { files } = on.host
  const { challengesDirectory } = on.nginx.layout
  let asked: string | undefined
  const pathOf = (token: string) => {
    if (!/^[A-Za-z0-9_-]{1,200}$/.test(token))
      throw new Error('the authority sent a challenge whose token is not one')
    return `${challengesDirectory}/${token}`
  }
  try {
    const accountKey = await accountKeyOf(files, on.keys, wanted.directory)
    await files.makeDirectory(challengesDirectory, { mode: 0o755 })
    const proofs = {
      serve: (token: string, answer: string) => files.write(pathOf(token), answer),
      withdraw: (token: string) => files.remove(pathOf(token)),
      dnsFor: on.dnsFor,
      progress,
    }
    const talk = { ask: on.ask, signal, onRetryAfter: (header: string) => (asked = header) }
    return await orderCertificate({ ...wanted, accountKey }, proofs, talk)
  } catch (cause) {
    if (signal.aborted && signal.reason instanceof Error && signal.reason.name !== 'TimeoutError') throw cause
    const message = messageOf(cause)
    await noteFailure({ message, asked })
    throw OrderFailed(message, { cause })
  }
}

interface Former {
  /** How often the order has failed in a row before. */
  readonly count: number
  readonly certificate: { readonly not_before: string; readonly not_after: string } | undefined
}

/** Returns what is stored of a failure: when the order may be tried again, too. */
export function failureOf({ message, asked }: Failed, { count: before, certificate }: Former, now: Date) {
  const count = before + 1
  const lifetimeMs = certificate && Date.parse(certificate.not_after) - Date.parse(certificate.not_before)
  const retry = retryAt({ now, count, retryAfterMs: retryAfterMs(asked, now), lifetimeMs })
  return { error: message, failed_at: now.toISOString(), count, retry_at: retry.toISOString() }
}
