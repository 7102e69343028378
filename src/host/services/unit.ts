/** The properties of a unit, as `systemctl show` prints them. */
export type Unit = Readonly<Record<string, string>>

/** Parses the output of `systemctl show`: one block for each unit. */
export function parseShow(text: string): readonly Unit[] {
  const blocks = text.trim() === '' ? [] : text.trim().split('\n\n')
  return blocks.map((block) =>
    Object.fromEntries(
      block.split('\n').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
  )
}

/** True if the unit runs, or is about to. */
export const isActive = (unit: Unit): boolean =>
  ['active', 'reloading', 'activating'].includes(unit['ActiveState'] ?? '')
