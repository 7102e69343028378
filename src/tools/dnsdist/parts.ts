import type { Host } from '../../host/index.ts'
import type { DnsdistLayout } from './layout.ts'
import type { DnsdistProgram, DnsdistStarter } from './program.ts'

/** The dependencies shared by the parts of this folder. */
export interface DnsdistParts {
  readonly host: Host
  readonly layout: DnsdistLayout
  readonly program: DnsdistProgram
  readonly starter: DnsdistStarter
}
