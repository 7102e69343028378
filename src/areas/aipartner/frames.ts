import Type, { type Static } from 'typebox'
import { Check } from 'typebox/value'
import { OneOf } from '../../core/schemas.ts'
import { longestMessage } from './model.ts'

const FromBrowser = Type.Object(
  { type: Type.Literal('message'), text: Type.String({ minLength: 1 }) },
  { additionalProperties: false },
)

const FromPartner = Type.Object({
  type: OneOf(['banner', 'typing', 'done', 'blocked', 'error']),
  text: Type.Optional(Type.String()),
})

/** A frame of the partner; further fields of it are passed on. */
export type PartnerFrame = Static<typeof FromPartner>

/** What is wrong with a frame of a browser. */
interface Misread {
  readonly mistake: string
}

const form = 'send {"type":"message","text":"…"} and nothing else'

/** Reads a frame of a browser: the text of a message, or what is wrong with it. */
export function readMessage(frame: string): { readonly text: string } | Misread {
  const value = jsonOf(frame)
  if (!Check(FromBrowser, value)) return { mistake: `The frame was not understood: ${form}` }
  const text = value.text.trim()
  if (text === '') return { mistake: 'text: must not be empty' }
  if (text.length > longestMessage)
    return { mistake: `text: must be at most ${longestMessage} characters, not ${text.length}` }
  return { text }
}

/** Reads a frame of the partner; undefined for one of another kind, which is not passed on. */
export function readFrame(frame: string): PartnerFrame | undefined {
  const value = jsonOf(frame)
  return Check(FromPartner, value) ? value : undefined
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
