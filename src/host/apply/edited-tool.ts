import type { Activation } from './tool.ts'

/** A program whose configuration file is the truth: people edit it too, and the panel changes nothing but what it means to. */
export interface EditedTool {
  readonly name: string
  readonly kind: 'edited'
  readonly path: string
  /** The checker as plans show it. */
  readonly checkCommand: readonly string[]
  /** Throws Unavailable, with what is missing, before anything is written. */
  assertAvailable(): Promise<void>
  /** Runs the program's own checker on a candidate; its words when it refuses. */
  check(candidatePath: string): Promise<string | undefined>
  /** Reloads the program and waits until it serves what lies in the file, or says why it does not. */
  activate(): Promise<Activation>
  /** Whether the running program has loaded what the file says. One that does not run reads it when it starts. */
  isServed(): Promise<boolean>
}

/** Makes the new text of the file from the present one. Pure: it is called again whenever the file was changed meanwhile. */
export type TextEdit = (current: string) => string

export interface EditApplied {
  readonly isChanged: boolean
  /** False when the program does not run: the file waits for its start. */
  readonly isLive: boolean
}
