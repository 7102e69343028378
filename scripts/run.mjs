// node scripts/run.mjs FILE [ARG ...]: installs what is locked and runs a script of the project on its own Node.
import { runOnProjectNode } from './ensure.mjs'

process.exit(runOnProjectNode(process.argv.slice(2)))
