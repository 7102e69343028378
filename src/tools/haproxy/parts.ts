import type { EditedTool } from '../../host/apply/edited-tool.ts'
import type { Host } from '../../host/index.ts'
import type { HaproxyLayout } from './layout.ts'
import type { HaproxyProgram } from './program.ts'
import type { SocketAddress } from './socket.ts'
import type { HaproxyStarter } from './start.ts'

/** The dependencies shared by the parts of this folder. */
export interface HaproxyParts {
  readonly host: Host
  readonly layout: HaproxyLayout
  readonly program: HaproxyProgram
  readonly tool: EditedTool
  readonly starter: HaproxyStarter
  /** Returns the address of the runtime API according to the configuration. */
  socketAddress(): Promise<SocketAddress | undefined>
}
