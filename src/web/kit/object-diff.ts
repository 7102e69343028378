/** What becomes of one thing that is no file, line by line, as a diff shows it; null stands for a thing that does not exist. */
export function objectDiff(before: string | null, after: string | null): string {
  const lines = (mark: string, text: string | null) =>
    text === null ? [] : text.split('\n').map((line) => `${mark}${line}`)
  if (before === after) return lines(' ', before).join('\n')
  return [...lines('-', before), ...lines('+', after)].join('\n')
}
