export const classesOfUsers = ['owner', 'group', 'others'] as const
export const rights = ['read', 'write', 'execute'] as const

/** The bits of an octal mode: 644 becomes 0o644; undefined where it is none that the panel sets. */
export function bitsOf(mode: string): number | undefined {
  return /^0?[01]?[0-7]{3}$/.test(mode) ? Number.parseInt(mode, 8) : undefined
}

/** The octal mode of bits, three digits where there is no sticky bit. */
export function octalOf(bits: number): string {
  return bits.toString(8).padStart(3, '0')
}

/** The bit of one right of one class: read for the owner is 0o400. */
export function bitOf(user: (typeof classesOfUsers)[number], right: (typeof rights)[number]): number {
  return 1 << ((2 - classesOfUsers.indexOf(user)) * 3 + (2 - rights.indexOf(right)))
}

/** A mode as `ls` writes it, without the kind of file. */
export function lettersOf(bits: number): string {
  const letters = classesOfUsers.flatMap((user) => rights.map((right) => (bits & bitOf(user, right) ? right.charAt(0).replace('e', 'x') : '-')))
  const sticky = bits & 0o1000 ? (bits & 1 ? 't' : 'T') : undefined
  return [...letters.slice(0, 8), sticky ?? letters[8]].join('')
}
