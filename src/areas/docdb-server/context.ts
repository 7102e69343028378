import { area } from '../../core/area.ts'
import type { Tools } from '../../tools/open-tools.ts'
import { programLock } from '../../tools/program.ts'
import type { Deps } from '../deps.ts'

/** The document database server of this host, as the verbs of the area reach it. */
export interface DocdbServer {
  readonly tool: Tools['mongodb']
}

/** Its installation, start and stop, backups and restores exclude one another. */
export const serverLock = programLock('mongodb')

/** Binds the area to the document database server of this host. */
export const openDocdbServer = ({ tools }: Deps): DocdbServer => ({ tool: tools.mongodb })

export interface Context {
  readonly docdbServer: DocdbServer
}

export const { endpoint, work } = area.of<Context>()
