// node scripts/run.mjs FILE [ARG ...]: installs what is locked and runs a script of the project on its own Node, which it
// passes the signals on to.
import { spawn } from 'node:child_process'
import { ensureInstalled, root } from './ensure.mjs'

const child = spawn(ensureInstalled(), process.argv.slice(2), { cwd: root, stdio: 'inherit' })
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => child.kill(signal))
child.on('exit', (code) => process.exit(code ?? 1))
