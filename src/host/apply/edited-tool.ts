import type { FileRights } from '../files.ts'
import type { Activation } from './tool.ts'

/** A program whose configuration file is the source of truth: people edit it too, and the panel changes only the parts that it must. */
export interface EditedTool {
  readonly name: string
  readonly kind: 'edited'
  readonly path: string
  /** The checker as plans show it. */
  readonly checkCommand: readonly string[]
  /** Set if the program reads the file at each use: nothing is checked or loaded. */
  readonly isReadOnDemand?: true
  /** The rights that the file is given; by default it keeps its own. */
  readonly rights?: () => Promise<FileRights>
  /** Throws Unavailable, naming the missing part, before anything is written. */
  assertAvailable(): Promise<void>
  /** Runs the program's own checker on a candidate; returns its message if it rejects it. */
  check(candidatePath: string): Promise<string | undefined>
  /** Reloads the program and waits until it serves the content of the file, or returns the reason why it does not. */
  activate(): Promise<Activation>
  /** True if the running program has loaded the content of the file. A stopped one reads it when it starts. */
  isServed(): Promise<boolean>
}

/** Makes the new text of the file from the current one. Pure: it is called again whenever the file has changed in the meantime. */
export type TextEdit = (current: string) => string

export interface EditApplied {
  readonly isChanged: boolean
  /** False when the program does not run: the file applies at its next start. */
  readonly isLive: boolean
}
