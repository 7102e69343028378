export const classesOfUsers = ['owner', 'group', 'others'] as const
export const rights = ['read', 'write', 'execute'] as const

export const sticky = 0o1000
export const setgid = 0o2000
export const setuid = 0o4000

/** Parses an octal mode: 644 becomes 0o644; undefined if the panel cannot set it. */
export function bitsOf(mode: string): number | undefined {
  return /^0?[01]?[0-7]{3}$/.test(mode) ? Number.parseInt(mode, 8) : undefined
}

/** Parses the mode of an entry, including bits that the panel does not set; undefined if it is not a mode. */
export function everyBitOf(mode: string): number | undefined {
  return /^[0-7]{1,5}$/.test(mode) ? Number.parseInt(mode, 8) : undefined
}

/** Formats mode bits as octal, with three digits unless the sticky bit is set. */
export function octalOf(bits: number): string {
  return bits.toString(8).padStart(3, '0')
}

/** Returns the bit of one permission of one class: read for the owner is 0o400. */
export function bitOf(user: (typeof classesOfUsers)[number], right: (typeof rights)[number]): number {
  return 1 << ((2 - classesOfUsers.indexOf(user)) * 3 + (2 - rights.indexOf(right)))
}

/** The letter that replaces x where a special bit is set: lower case with execute, upper case without. */
const special = { owner: [setuid, 's'], group: [setgid, 's'], others: [sticky, 't'] } as const

/** Formats a mode as `ls` does, without the file type. */
export function lettersOf(bits: number): string {
  return classesOfUsers
    .map((user) => {
      const [read, write, execute] = rights.map((right) =>
        bits & bitOf(user, right) ? right.charAt(0).replace('e', 'x') : '-',
      )
      const [bit, letter] = special[user]
      return `${read}${write}${bits & bit ? (execute === 'x' ? letter : letter.toUpperCase()) : execute}`
    })
    .join('')
}
