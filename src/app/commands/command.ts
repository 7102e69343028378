/** The options of all commands. */
export const options = {
  json: { type: 'boolean' },
  body: { type: 'string' },
  key: { type: 'string' },
  checkpoint: { type: 'string' },
  output: { type: 'string' },
  file: { type: 'string', short: 'f' },
  prune: { type: 'boolean' },
  yes: { type: 'boolean' },
  to: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const

export type OptionName = keyof typeof options

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
  /** The form of a call, two blanks or more, and what the command does. */
  readonly usage: string
  /** The options that it takes besides `--help`; others are refused. */
  readonly options: readonly OptionName[]
  /** The greatest number of its arguments. */
  readonly maxArguments: number
  readonly run: (call: Call) => Promise<number>
}
