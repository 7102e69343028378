import { area } from '../../core/area.ts'
import type { Dnsdist } from '../../tools/dnsdist/index.ts'
import type { Deps } from '../deps.ts'

/** The dnsdist of this host, as the verbs of the area reach it. */
export interface Dnslb {
  readonly dnsdist: Dnsdist
}

/** Binds the area to the dnsdist of this host. */
export function openDnslb({ tools: { dnsdist } }: Deps): Dnslb {
  return { dnsdist }
}

export interface Context {
  readonly dnslb: Dnslb
}

export const { endpoint } = area.of<Context>()
