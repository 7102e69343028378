import './memory.ts'
import { parseArgs } from 'node:util'
import { commands } from './commands.ts'

/** Exit codes of the command line: 0 done, 1 it failed, 2 the call is wrong, 3 the panel does not run. */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  strict: false,
  options: {
    json: { type: 'boolean' },
    body: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean' },
    email: { type: 'string' },
  },
})
const name = positionals[0] ?? (values['version'] ? 'version' : 'help')
const command = values['help'] ? commands['help'] : commands[name]
if (command === undefined) {
  process.stderr.write(`hostreeve: there is no command ${name}; see hostreeve help\n`)
  process.exit(2)
}
try {
  process.exitCode = await command.run({
    positionals: positionals.slice(1),
    isJson: values['json'] === true,
    body: values['body'] as string | undefined,
  })
} catch (error) {
  process.stderr.write(`hostreeve: ${(error as Error).message}\n`)
  process.exit((error as { exitCode?: number }).exitCode ?? 1)
}
