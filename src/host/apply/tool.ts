import type { FileRights } from '../files.ts'

/** A file as it would become, written next to its destination. */
export interface Candidate {
  readonly path: string
  /** The path of the candidate; undefined when the file is to be removed. */
  readonly preparedPath: string | undefined
  readonly content: string | undefined
}

/** The result of a reload, as observed from outside and not by its exit status. */
export interface Activation {
  /** `live`: the wanted generation is served. `stopped`: the program was stopped on purpose; files apply at its next start. */
  readonly outcome: 'live' | 'stopped' | 'refused'
  /** The program's own message if it rejected the configuration. */
  readonly message: string
}

/** A program whose configuration files are rendered by the panel. (Tools whose file is the source of truth have the kind `edited`.) */
export interface OwnedTool {
  readonly name: string
  readonly kind: 'owned'
  /** The directories of its files: searched for leftovers of a killed panel. */
  readonly directories: readonly string[]
  /** The checker as plans show it. */
  readonly checkCommand: readonly string[]
  /** Throws Unavailable, naming the missing part, before anything is written. */
  assertAvailable(): Promise<void>
  /** Runs the program's own checker as if the candidates were at their destinations, which stay untouched; returns its message if it rejects them. */
  check(candidates: readonly Candidate[]): Promise<string | undefined>
  /** Reloads (or starts) the program and waits until it reports the generation, or returns the reason why it does not. */
  activate(generation: string): Promise<Activation>
  /** True if the running program serves the content of its files. A stopped one serves nothing outdated: it reads them when it starts. */
  isServed(): Promise<boolean>
  readonly generation: {
    /** The file from which the program reads the generation that it serves. */
    readonly path: string
    render(generation: string): string
    parse(content: string): string | undefined
    /** Returns the generation that the running program reports; undefined when it does not run. */
    served(): Promise<string | undefined>
  }
}

/** One file of an edit: its whole content, or null to remove it. */
export interface FileEdit {
  readonly path: string
  readonly content: string | null
  /** Written byte for byte, without the panel's first line: for restoring an earlier file. */
  readonly isVerbatim?: boolean
  readonly rights?: Partial<FileRights>
}

export interface ApplyOptions {
  /** Replaces a file even if it was edited by hand. */
  readonly overwrite?: boolean
}

export interface Applied {
  readonly isChanged: boolean
  readonly generation: string
  /** False when the program was stopped on purpose: the files are in place for its next start. */
  readonly isLive: boolean
}
