import { digestOf } from '../files.ts'

const stampLine = /^# hostreeve: sha256=([0-9a-f]{64})\n/

/** Prefixes a text with its digest, which reveals a later edit by hand. */
export function stamped(body: string): string {
  return `# hostreeve: sha256=${digestOf(body)}\n${body}`
}

/** True if the panel may replace the existing text with this one: it is missing, as the panel wrote it, or identical. */
export function mayReplace(live: string | undefined, wanted: string | undefined): boolean {
  return live === undefined || isAsWritten(live) || live === wanted
}

/** True if a file is still as the panel wrote it. */
export function isAsWritten(content: string): boolean {
  const found = stampLine.exec(content)
  return found !== null && found[1] === digestOf(content.slice(found[0].length))
}

/** True if the panel wrote a file, whether or not it was edited by hand since. */
export const isStamped = (content: string): boolean => stampLine.test(content)
