import { removeRun } from './test-run.ts'

// Run as a program by a process that is ending, for which it is too late to await anything itself.
const [folder] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: remove-run.ts FOLDER')
await removeRun(folder)
