import type { FileRights } from '../files.ts'

/** A file as it would stand, written beside its place and not yet in it. */
export interface Candidate {
  readonly path: string
  /** Where the candidate lies meanwhile; undefined when the file is to go. */
  readonly preparedPath: string | undefined
  readonly content: string | undefined
}

/** What a reload came to, as seen from outside and not by its exit status. */
export interface Activation {
  /** `live`: the wanted generation is served. `stopped`: the program was stopped on purpose; files wait for its start. */
  readonly outcome: 'live' | 'stopped' | 'refused'
  /** The program's own words when it refused. */
  readonly message: string
}

/** A program whose configuration files are rendered by the panel. (Tools whose file is the truth come as kind `edited`.) */
export interface OwnedTool {
  readonly name: string
  readonly kind: 'owned'
  /** Where its files lie: searched for leftovers of a killed panel. */
  readonly directories: readonly string[]
  /** The checker as plans show it. */
  readonly checkCommand: readonly string[]
  /** Throws Unavailable, with what is missing, before anything is written. */
  assertAvailable(): Promise<void>
  /** Runs the program's own checker as if the candidates stood in their places, which stay untouched; its words when it refuses. */
  check(candidates: readonly Candidate[]): Promise<string | undefined>
  /** Reloads (or starts) the program and waits until it names the generation, or says why it does not. */
  activate(generation: string): Promise<Activation>
  /** Whether the running program serves what its files say. One that does not run serves nothing old: it reads them when it starts. */
  isServed(): Promise<boolean>
  readonly generation: {
    /** The file by which the program learns which generation it serves. */
    readonly path: string
    render(generation: string): string
    parse(content: string): string | undefined
    /** What the running program names; undefined when it does not run. */
    served(): Promise<string | undefined>
  }
}

/** One file of an edit: its whole content, or null to remove it. */
export interface FileEdit {
  readonly path: string
  readonly content: string | null
  /** Written to the byte, without the panel's first line: for bringing back what was there. */
  readonly isVerbatim?: boolean
  readonly rights?: Partial<FileRights>
}

export interface ApplyOptions {
  /** Replaces a file although it was edited by hand. */
  readonly overwrite?: boolean
}

export interface Applied {
  readonly isChanged: boolean
  readonly generation: string
  /** False when the program was stopped on purpose: the files are in place for its next start. */
  readonly isLive: boolean
}
