import { RecordInvalid } from '../problems.ts'
import type { Position } from './fields.ts'
import { bounded } from './texts.ts'

/** Sizes and precisions that are not given, in metres (RFC 1876, 3). */
const defaults = [1, 10_000, 10]

/** Degrees, minutes and seconds, of which the last two may be missing, and the direction. */
const angle = String.raw`(\d{1,3})(?:\s+(\d{1,2})(?:\s+(\d{1,2}(?:\.\d{1,3})?))?)?\s+`
const metres = String.raw`(-?\d{1,8}(?:\.\d{1,2})?)m?`
const form = new RegExp(String.raw`^${angle}([NS])\s+${angle}([EW])\s+${metres}((?:\s+${metres}){0,3})$`, 'i')

/** Returns the data of a LOC record as PowerDNS writes it, which takes no other form; leaves it anything else to refuse. */
export function location(content: string, position: Position): string {
  const found = form.exec(content)
  if (found === null) return bounded(content, position)
  const angles = [found.slice(1, 5), found.slice(5, 9)] as const
  // PowerDNS would serve 91 degrees
  if (!isWithin(90, angles[0]) || !isWithin(180, angles[1]))
    throw RecordInvalid(
      `${position.field}: the latitude is at most 90 degrees, the longitude 180, and minutes and seconds are below 60`,
    )
  const given = (found[10] ?? '').split(/\s+/).filter((size) => size !== '')
  const sizes = defaults.map((size, at) => given[at] ?? String(size))
  return [...angles.map(angleForm), ...[found[9] ?? '', ...sizes].map(metresForm)].join(' ')
}

function isWithin(most: number, [degrees, minutes = '0', seconds = '0']: readonly string[]): boolean {
  const [min, sec] = [Number(minutes), Number(seconds)]
  return min < 60 && sec < 60 && Number(degrees) + min / 60 + sec / 3600 <= most
}

const angleForm = ([degrees, minutes = '0', seconds = '0', direction = '']: readonly string[]): string =>
  `${Number(degrees)} ${Number(minutes)} ${Number(seconds).toFixed(3)} ${direction.toUpperCase()}`

const metresForm = (size: string): string => `${Number.parseFloat(size).toFixed(2)}m`
