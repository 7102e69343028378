import { point } from '../../core/point.ts'

/** A port that an area has opened. */
export interface AreaPort {
  readonly port: number
  readonly protocol: 'tcp' | 'udp'
  /** The addresses to which it is open. Default: all. */
  readonly sources?: readonly string[]
  /** The title of the area. */
  readonly name: string
  /** Why it is open, such as `2 websites`. */
  readonly reason: string
}

/** The ports that areas need open, as of now: a port that is no longer listed is closed. */
export const openPorts = point<() => Promise<readonly AreaPort[]>>('open ports')
