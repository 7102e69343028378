declare const kindOfLock: unique symbol

/** A name that no other change may hold at the same time. Stored with the change as its text. */
export type Lock = string & { readonly [kindOfLock]: true }

type Part = string | number

/**
 * Declares a kind of lock, once: `export const userLock = lock('user')`, then `userLock(email)`. A name of
 * several parts has the types of its parts: `lock<[username: string, path: string]>('file')`.
 */
export function lock<Parts extends readonly Part[] = readonly [name: Part]>(
  kind: string,
  separator: ':' | ' ' = ':',
): (...parts: Parts) => Lock {
  return (...parts) => `${kind}${separator}${parts.join(':')}` as Lock
}

/** The locks as a row stores them; none for null, which an older panel wrote. */
export const storedLocks = (text: string | null): readonly Lock[] => JSON.parse(text ?? '[]')

/** Declares a lock without a name: `export const superusersLock = singleLock('superusers')`. */
export const singleLock = (name: string): Lock => name as Lock
