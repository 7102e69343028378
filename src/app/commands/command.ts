/** The input of a command. */
export interface Call {
  readonly positionals: readonly string[]
  readonly isJson: boolean
  readonly body: string | undefined
  /** Where a copy goes. */
  readonly to?: string | undefined
}

/** One command of the command line; returns its exit code. */
export interface Command {
  readonly usage: string
  readonly run: (call: Call) => Promise<number>
}
