import Type, { type Static } from 'typebox'
import { compileRules } from './compile.ts'
import { encode } from './encoding.ts'
import type { LoggedRequest } from './logged.ts'
import type { AccessRules } from './rules.ts'

export const Replayed = Type.Object({
  /** One for each request, in their order; `readVerdict` reads them. */
  verdicts: Type.Array(Type.String()),
  /** The expressions that are not regular ones. */
  problems: Type.Array(Type.Object({ rule: Type.String(), index: Type.Number(), problem: Type.String() })),
})
export type Replayed = Static<typeof Replayed>

/** What a ruleset makes of a logged request. */
export type Verdict =
  | { readonly is: 'matched'; readonly rules: readonly number[] }
  /** An earlier ruleset decides it. */
  | { readonly is: 'earlier' }
  /** The log lacks this field, or does not tell what this action of an earlier ruleset did. */
  | { readonly is: 'unknown'; readonly lacks: string }
  | { readonly is: 'passed' }

/** Logged requests for one ruleset, with what nginx needs to evaluate them. */
export interface Replaying {
  /** The encoded rules: they are the same for all parts of a log. */
  readonly rules: string
  readonly ruleset: string
  readonly siteId: number
  /** The host name of requests that name none; undefined if it may be one of several. */
  readonly host: string | undefined
  readonly requests: readonly LoggedRequest[]
}

/** Encodes rules for `Replaying`, as one character for each byte. */
export const encodedRules = (rules: AccessRules): string =>
  Buffer.from(encode(compileRules(rules))).toString('latin1')

const absent = '\0'

/** Renders the body that nginx takes; the texts of a log are bytes of any encoding. */
export function replayBody({ rules, ruleset, siteId, host, requests }: Replaying): Buffer {
  const lines = requests.map(({ hex, method, path, query, referer, agent, host: named }) =>
    [hex, method, path, query, referer, agent, named ?? host].map((each) => text(each ?? absent)).join(''),
  )
  const body = `d${text('data')}${rules}${text('site')}i${siteId}e${text('ruleset')}${text(ruleset)}${text('lines')}l${lines.join('')}ee`
  return Buffer.from(body, 'latin1')
}

const text = (value: string): string => `${value.length}:${value}`

/** Reads a verdict; the rules are counted from 0 among those that have conditions. */
export function readVerdict(encoded: string): Verdict {
  const rest = encoded.slice(1)
  if (encoded.startsWith('m')) return { is: 'matched', rules: rest.split(',').map((one) => Number(one) - 1) }
  if (encoded.startsWith('u')) return { is: 'unknown', lacks: rest }
  return { is: encoded === 'e' ? 'earlier' : 'passed' }
}
