import processes from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
import { basename } from 'node:path'

// Loaded before the tests of `npm test`, which pass on any machine whatever is installed there: a test that starts a program
// that some machine may lack fails, and says where it belongs.
const onEveryMachine = new Set([
  process.execPath,
  'sh',
  'sleep',
  'true',
  '/etc/passwd',
  'no-such-program-here',
])

for (const name of ['spawn', 'spawnSync', 'exec', 'execSync', 'execFile', 'execFileSync', 'fork'] as const) {
  const original = processes[name] as (...args: readonly unknown[]) => unknown
  const guarded = (program: unknown, ...rest: readonly unknown[]): unknown => {
    if (name !== 'fork' && !onEveryMachine.has(String(program))) refuse(String(program))
    return original(program, ...rest)
  }
  Object.assign(processes, { [name]: guarded })
}
syncBuiltinESMExports()

/** Also printed, as the code under test may replace this error by its own. */
function refuse(program: string): never {
  const refusal =
    `npm test starts no program, and this test starts ${basename(program)}: name its file *.homes.test.ts where it works ` +
    'in a home under the uid of its owner, *.tool.test.ts where it runs another program of this machine'
  process.stderr.write(`${refusal}\n`)
  throw new Error(refusal)
}
