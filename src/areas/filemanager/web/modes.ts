export const classesOfUsers = ['owner', 'group', 'others'] as const
export const rights = ['read', 'write', 'execute'] as const

export const sticky = 0o1000
export const setgid = 0o2000
export const setuid = 0o4000

/** The bits of an octal mode: 644 becomes 0o644; undefined where it is none that the panel sets. */
export function bitsOf(mode: string): number | undefined {
  return /^0?[01]?[0-7]{3}$/.test(mode) ? Number.parseInt(mode, 8) : undefined
}

/** Every bit of the mode of an entry, also those that the panel does not set; undefined where it is no mode. */
export function everyBitOf(mode: string): number | undefined {
  return /^[0-7]{1,5}$/.test(mode) ? Number.parseInt(mode, 8) : undefined
}

/** The octal mode of bits, three digits where there is no sticky bit. */
export function octalOf(bits: number): string {
  return bits.toString(8).padStart(3, '0')
}

/** The bit of one right of one class: read for the owner is 0o400. */
export function bitOf(user: (typeof classesOfUsers)[number], right: (typeof rights)[number]): number {
  return 1 << ((2 - classesOfUsers.indexOf(user)) * 3 + (2 - rights.indexOf(right)))
}

/** The letter that stands in the place of execute where a special bit is set: small with execute, large without. */
const special = { owner: [setuid, 's'], group: [setgid, 's'], others: [sticky, 't'] } as const

/** A mode as `ls` writes it, without the kind of file. */
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
