import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'

const Characters = Type.Integer({ minimum: 1, maximum: 1000 })

/** The messages that a client sends as text; what is typed are binary messages. */
const FromClient = Type.Union([
  Type.Object({ type: Type.Literal('resize'), cols: Characters, rows: Characters }),
  Type.Object({ type: Type.Literal('close') }),
])
export type FromClient = Static<typeof FromClient>

/** The messages that a terminal sends as text; its output are binary messages. */
export type FromTerminal =
  | { readonly type: 'opened'; readonly terminal: string; readonly resumed: boolean }
  | { readonly type: 'exit'; readonly code: number }

/** Reads a text message; undefined if it is none of the known ones. */
export function readMessage(text: string): FromClient | undefined {
  if (text.length > 1000) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return Check(FromClient, value) ? value : undefined
}
