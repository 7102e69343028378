import type { OwnedTool } from '../../host/apply/tool.ts'
import type { Host } from '../../host/index.ts'
import type { NginxLayout } from './layout.ts'
import type { NginxProgram } from './program.ts'
import type { NginxStarter } from './tool.ts'

/** The dependencies shared by the parts of this folder. */
export interface NginxParts {
  readonly host: Host
  readonly layout: NginxLayout
  readonly program: NginxProgram
  readonly starter: NginxStarter
  readonly tool: OwnedTool
}
