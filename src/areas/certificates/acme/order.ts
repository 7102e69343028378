import type { Authorization, Client } from 'acme-client'
import type { DnsChallenges } from '../challenges.ts'
import { converse, type Conversation } from './library.ts'

/** What a certificate is ordered for. */
export interface Wanted {
  readonly directory: string
  readonly accountKey: string
  readonly names: readonly string[]
  /** The identifier of the certificate that it replaces; null if there is none (RFC 9773, section 5). */
  readonly replaces: string | null
  /** The PEM of the key that it is for. Default: a new one. */
  readonly key?: string | undefined
}

/** An issued certificate with its chain, and its key, as PEM. */
export interface Ordered {
  readonly chain: string
  readonly key: string
}

/** How the control over the names is proved. */
export interface Proofs {
  readonly serve: (token: string, answer: string) => Promise<void>
  readonly withdraw: (token: string) => Promise<void>
  /** Undefined if no area publishes records of this name. */
  readonly dnsFor: (name: string) => Promise<DnsChallenges | undefined>
  readonly progress: (percent: number, message: string) => void
}

const polling = { backoffAttempts: 15, backoffMin: 500, backoffMax: 10_000 }

/** Orders a certificate. */
export function orderCertificate(wanted: Wanted, proofs: Proofs, talk: Conversation): Promise<Ordered> {
  const { directory, accountKey, names, replaces } = wanted
  return converse(talk, async (acme) => {
    proofs.progress(5, `Asking ${new URL(directory).host}`)
    const client = new acme.Client({ directoryUrl: directory, accountKey, ...polling })
    await client.getTermsOfServiceUrl() // a directory that does not answer is asked once
    // acme-client updates an account that exists with the same fields, which authorities may refuse
    await client
      .createAccount({ onlyReturnExisting: true })
      .catch(() => client.createAccount({ termsOfServiceAgreed: true }))
    const identifiers = names.map((value) => ({ type: 'dns', value }))
    const placed = replaces === null ? undefined : { identifiers, replaces }
    // an authority that does not know the former certificate refuses to replace it
    const order = await (placed === undefined
      ? client.createOrder({ identifiers })
      : client.createOrder(placed).catch(() => client.createOrder({ identifiers })))
    const pending = await client.getAuthorizations(order)
    for (const [at, authorization] of pending.entries()) {
      const name = nameOf(authorization)
      proofs.progress(10 + (60 * at) / pending.length, `Proving control over ${name}`)
      await authorize(client, authorization, { ...proofs, signal: talk.signal }).catch((cause: unknown) => {
        throw new Error(`${name}: ${messageOf(cause)}`, { cause })
      })
    }
    proofs.progress(75, 'Fetching the certificate')
    const key = wanted.key ?? (await acme.crypto.createPrivateEcdsaKey()).toString()
    const [, csr] = await acme.crypto.createCsr({ altNames: [...names] }, key)
    const chain = await client.getCertificate(await client.finalizeOrder(order, csr))
    return { chain: `${chain.trim()}\n`, key: `${key.trim()}\n` }
  })
}

async function authorize(
  client: Client,
  authorization: Authorization,
  { signal, ...proofs }: Proofs & { readonly signal: AbortSignal },
): Promise<void> {
  if (authorization.status === 'valid') return
  const { challenges, identifier, wildcard } = authorization
  const dns = await proofs.dnsFor(identifier.value)
  const type = wildcard === true ? 'dns-01' : 'http-01'
  const challenge =
    challenges.find((each) => each.type === type) ??
    (dns && challenges.find((each) => each.type === 'dns-01'))
  if (challenge === undefined || (challenge.type === 'dns-01' && dns === undefined))
    throw new Error(
      `the authority offers ${challenges.map((each) => each.type).join(', ')}, none of which the panel can answer`,
    )
  const answer = await client.getChallengeKeyAuthorization(challenge)
  const record = { name: `_acme-challenge.${identifier.value}`, value: answer }
  const isByHttp = challenge.type === 'http-01'
  try {
    await (isByHttp ? proofs.serve(challenge.token, answer) : dns!.publish(record, signal))
    await client.completeChallenge(challenge)
    await client.waitForValidStatus(challenge)
  } finally {
    await (isByHttp ? proofs.withdraw(challenge.token) : dns!.withdraw(record))
  }
}

const nameOf = ({ identifier, wildcard }: Authorization): string =>
  `${wildcard === true ? '*.' : ''}${identifier.value}`

/** The message of any failure. */
export const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).slice(0, 1500)
