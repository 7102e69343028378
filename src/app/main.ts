import './memory.ts'
import { parseArgs } from 'node:util'
import type { Call } from './commands/command.ts'
import { commands } from './commands.ts'

const options = {
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

// A reader that has seen enough, such as head, closes the pipe: no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1))
// not awaited at the top level, which CommonJS does not have; what is loaded on first use is not used before all of this module is
void Promise.resolve()
  .then(run)
  .then((code) => (process.exitCode = code))
// as Node ends a module that waits for what never comes
process.once('beforeExit', () => (process.exitCode ??= 13))

/** Exit codes of the command line: 0 done, 1 it failed, 2 the call is wrong, 3 the panel does not run. */
async function run(): Promise<number> {
  const call = parseCall(process.argv.slice(2))
  if (typeof call === 'string') return refuse(call)
  const command = commands[call.name]
  if (command === undefined) return refuse(`there is no command ${call.name}`)
  try {
    return await command.run(call)
  } catch (error) {
    process.stderr.write(`hostreeve: ${(error as Error).message}\n`)
    return (error as { exitCode?: number }).exitCode ?? 1
  }
}

function refuse(problem: string): number {
  process.stderr.write(`hostreeve: ${problem}; see hostreeve help\n`)
  return 2
}

/** Reads the command, its arguments and its options; a text says what is wrong with them. */
function parseCall(args: readonly string[]): (Call & { readonly name: string }) | string {
  try {
    const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options })
    const name = values.help ? 'help' : (positionals[0] ?? (values.version ? 'version' : 'help'))
    const { body, key, checkpoint, output, file, to } = values
    return {
      ...{ name, positionals: positionals.slice(1), isJson: values.json === true, body },
      ...{ key, checkpoint, output, file, to },
      ...{ isPruning: values.prune === true, isConfirmed: values.yes === true },
    }
  } catch (error) {
    return (error as Error).message.split('. ')[0] as string // the rest explains how parseArgs is used
  }
}
