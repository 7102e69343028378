/** Shortens the name of a file in its middle: its ending tells with which program it is opened. */
export function shortened(name: string, most: number): string {
  const letters = [...name]
  if (letters.length <= most) return name
  const [ending = ''] = /\.[A-Za-z0-9]{1,10}$/.exec(name) ?? []
  return `${letters.slice(0, most - ending.length).join('')}${ending}`
}
