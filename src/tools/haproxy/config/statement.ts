import { StatementInvalid } from '../problems.ts'
import { readTokens } from './tokens.ts'

/**
 * Validates words written by a person, which must stay on one line: quotes must be closed, and nothing may be
 * hidden behind a `#`. The refusal names the field.
 */
export function statement(text: string, field: string): string {
  const shown = `${field}: ${JSON.stringify(text)}`
  const tokens = readTokens(text)
  const last = tokens.at(-1)

  if (last === undefined || /[\u0000-\u0008\u000a-\u001f\u007f]/.test(text))
    throw StatementInvalid(`${shown} is not one line of tokens`)
  if (text.slice(last.start + last.raw.length).trim() !== '')
    throw StatementInvalid(`${shown}: put # in quotes, or it begins a comment`)
  if (readTokens(`${text} x`).length !== tokens.length + 1)
    throw StatementInvalid(`${shown}: a quote is not closed`)
  return text.trim()
}

/** Returns the words of a line from the given index on, as written. */
export const rawOf = (tokens: readonly { readonly raw: string }[]) => tokens.map(({ raw }) => raw).join(' ')
