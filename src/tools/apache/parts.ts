import type { OwnedTool } from '../../host/apply/tool.ts'
import type { Host } from '../../host/index.ts'
import type { ApacheLayout } from './layout.ts'
import type { ApacheProgram } from './program.ts'
import type { ApacheStarter } from './tool.ts'

/** The dependencies shared by the parts of this folder. */
export interface ApacheParts {
  readonly host: Host
  readonly layout: ApacheLayout
  readonly program: ApacheProgram
  readonly starter: ApacheStarter
  readonly tool: OwnedTool
}
