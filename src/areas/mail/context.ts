import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'

/** The mail of the host, as the verbs of the area reach it. */
export type Mail = Pick<Deps['tools'], 'exim'>

/** Binds the area to the mail server of the host. */
export const openMail = ({ tools: { exim } }: Deps): Mail => ({ exim })

export interface Context {
  readonly mail: Mail
}

export const { endpoint } = area.of<Context>()
