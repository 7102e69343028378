import type { Encoding } from '../../tools/mariadb/index.ts'
import type { Databases } from './context.ts'
import { EncodingUnknown } from './problems.ts'

interface EncodingDraft {
  readonly charset?: string
  readonly collation?: string
}

/** Completes a character set by its default collation, and a collation by its character set; both must fit each other. */
export async function chooseEncoding(
  { mariadb }: Pick<Databases, 'mariadb'>,
  { charset, collation }: EncodingDraft,
): Promise<Encoding> {
  const all = await mariadb.findCollations()
  const ofCharset = all.filter((each) => each.charset === (charset ?? 'utf8mb4'))
  if (charset !== undefined && ofCharset.length === 0)
    throw EncodingUnknown(
      `charset: the server has no character set ${charset}: utf8mb4 is that of most sites`,
    )
  const choices = charset === undefined && collation !== undefined ? all : ofCharset
  const chosen = collation === undefined ? choices[0] : choices.find((each) => each.collation === collation)
  if (chosen !== undefined) return chosen
  throw EncodingUnknown(`collation: ${collation} is no collation of ${charset ?? 'the server'}`)
}
