import { createHash } from 'node:crypto'

const longestName = 200

/** Returns the name that a mailbox has among folders and objects: its address with `_at_` for the @. */
export function nameOfMailbox(email: string): string {
  const address = email.toLowerCase()
  const at = address.lastIndexOf('@')
  const encode = (text: string) =>
    [...new TextEncoder().encode(text)]
      .map((byte) => {
        const letter = String.fromCharCode(byte)
        return /[a-z0-9._+-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0')}`
      })
      .join('')
  // a domain has no underscore, so that the last _at_ is always the @
  const bare = (text: string) => encode(text).replaceAll('_', '%5f')
  const name = at < 1 ? bare(address) : `${encode(address.slice(0, at))}_at_${bare(address.slice(at + 1))}`
  if (name.length <= longestName && !/^\.*$/.test(name)) return name
  return `${name.slice(0, 100)}%${digest(address).slice(0, 32)}`
}

/** Returns the id of something by what the server calls it: short, and fit for a path. */
export const idOf = (...parts: readonly string[]): string => digest(parts.join('\n')).slice(0, 32)

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The folder of a mailbox, and what is in it. */
export interface Place {
  readonly name: string
  readonly folder: string
  readonly database: string
  readonly incoming: string
  /** For what is fetched from S3 to be sent: a run does not clear it. */
  readonly outgoing: string
  content(hash: string): string
}

/** Returns where the backup of a mailbox is. */
export function placeOf(dataDir: string, email: string): Place {
  const name = nameOfMailbox(email)
  const folder = `${dataDir}/${name}`
  return {
    name,
    folder,
    database: `${folder}/mailbox.db`,
    incoming: `${folder}/incoming`,
    outgoing: `${folder}/outgoing`,
    content: (hash) => `${folder}/content/${hash.slice(0, 2)}/${hash}`,
  }
}
