import { EncodingUnknown } from '../problems.ts'

interface Encoding {
  readonly charset: string
  readonly collation: string
}

/**
 * Completes a character set by its default collation, which is the first of `all`, and a collation by its character set; both
 * must fit each other.
 */
export function chooseEncoding(
  all: readonly Encoding[],
  { charset, collation }: { readonly charset?: string; readonly collation?: string },
  standard: { readonly charset: string },
): Encoding {
  const ofCharset = all.filter((each) => each.charset === (charset ?? standard.charset))
  if (charset !== undefined && ofCharset.length === 0)
    throw EncodingUnknown(
      `charset: the server has no character set ${charset}: ${standard.charset} is that of most sites`,
    )
  const choices = charset === undefined && collation !== undefined ? all : ofCharset
  const chosen = collation === undefined ? choices[0] : choices.find((each) => each.collation === collation)
  if (chosen !== undefined) return chosen
  throw EncodingUnknown(`collation: ${collation} is no collation of ${charset ?? 'the server'}`)
}
