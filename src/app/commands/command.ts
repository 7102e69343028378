/** The input of a command. */
export interface Call {
  readonly positionals: readonly string[]
  readonly isJson: boolean
  readonly body: string | undefined
  /** A public key: of verify. */
  readonly key?: string | undefined
  /** A file with a checkpoint: of verify. */
  readonly checkpoint?: string | undefined
  /** A file to write: of activity export. */
  readonly output?: string | undefined
  /** The file of `--file`; `-` is standard input. */
  readonly file?: string | undefined
  readonly isPruning?: boolean
  /** True with `--yes`, which answers what would be asked. */
  readonly isConfirmed?: boolean
  /** Where a copy goes. */
  readonly to?: string | undefined
}

/** One command of the command line; returns its exit code. */
export interface Command {
  readonly usage: string
  readonly run: (call: Call) => Promise<number>
}
