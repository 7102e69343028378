import Type, { type Static } from 'typebox'
import { Value } from 'typebox/value'
import type { Host } from '../../host/index.ts'
import { keyPath } from './layout.ts'

const StoredKey = Type.Object({
  key: Type.String({ minLength: 8, maxLength: 500 }),
  expires_at: Type.String({ maxLength: 40 }),
})
type StoredKey = Static<typeof StoredKey>

/** Reads the key of the panel; undefined if there is none. */
export async function readStoredKey({
  files,
}: {
  readonly files: Pick<Host['files'], 'read'>
}): Promise<StoredKey | undefined> {
  return storedKeyIn(await files.read(keyPath))
}

/** Reads the key from the text of its file. */
export function storedKeyIn(text: string | undefined): StoredKey | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(StoredKey, value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The part of a key that the server shows in its list, and by which it is expired: 12 characters, of which some may be hyphens. */
export const prefixOf = (key: string): string => /^hskey-api-([\w-]{12})-/.exec(key)?.[1] ?? ''
