import type { Content } from './record.ts'

/** What is known of a service or an account, by name. Only what the panel has set is compared. */
export type Facts = Readonly<Record<string, string>>

/** Formats facts as a text, a line each. */
export const textOf = (facts: Facts): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name}: ${value}\n`)
    .toSorted()
    .join('')

/** Parses the facts of a text that `textOf` made; anything else has none. */
export function factsIn(text: Content | undefined): Facts {
  if (typeof text !== 'string') return {}
  const pairs = text.split('\n').flatMap((line): readonly (readonly [string, string])[] => {
    const at = line.indexOf(': ')
    return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 2)]]
  })
  return Object.fromEntries(pairs)
}

/** Returns the text of facts with further ones. */
export const withFacts = (text: Content | undefined, facts: Facts): string =>
  textOf({ ...factsIn(text), ...facts })

/** Returns those facts of a text that another one has as well. */
export function factsAsIn(text: Content, other: Content): string {
  const names = new Set(Object.keys(factsIn(other)))
  return textOf(Object.fromEntries(Object.entries(factsIn(text)).filter(([name]) => names.has(name))))
}

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no')

/** The facts of a service. */
export const serviceFacts = (running: boolean, starts: boolean) => ({
  running: yesOrNo(running),
  'starts at boot': yesOrNo(starts),
})

/** Formats the day on which an account expires, which shadow(5) counts from 1970. */
export const shownExpiry = (days: string): string => (days === '' ? 'never' : days)
export const expiryIn = (shown: string): string => (shown === 'never' ? '' : shown)
