import './memory.ts'
import { parseCall } from './parse-call.ts'

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
  const parsed = parseCall(process.argv.slice(2))
  if (typeof parsed === 'string') return refuse(parsed)
  try {
    return await parsed.command.run(parsed.call)
  } catch (error) {
    process.stderr.write(`hostreeve: ${(error as Error).message}\n`)
    return (error as { exitCode?: number }).exitCode ?? 1
  }
}

function refuse(problem: string): number {
  process.stderr.write(`hostreeve: ${problem}; see hostreeve help\n`)
  return 2
}
