import { digestOf } from '../files.ts'

const stampLine = /^# hostreeve: sha256=([0-9a-f]{64})\n/

/** Puts the digest of a text before it, by which a later edit by hand shows. */
export function stamped(body: string): string {
  return `# hostreeve: sha256=${digestOf(body)}\n${body}`
}

/** Whether the panel may put this in the place of what lies there: nothing, its own words, or the very same. */
export function mayReplace(live: string | undefined, wanted: string | undefined): boolean {
  return live === undefined || isAsWritten(live) || live === wanted
}

/** Whether a file still is what the panel wrote. */
export function isAsWritten(content: string): boolean {
  const found = stampLine.exec(content)
  return found !== null && found[1] === digestOf(content.slice(found[0].length))
}
