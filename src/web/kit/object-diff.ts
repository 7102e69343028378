/** Returns the change of an object as the lines of a diff; null is an object that does not exist. */
export function objectDiff(before: string | null, after: string | null): string {
  const lines = (mark: string, text: string | null) =>
    text === null ? [] : text.split('\n').map((line) => `${mark}${line}`)
  if (before === after) return lines(' ', before).join('\n')
  return [...lines('-', before), ...lines('+', after)].join('\n')
}
