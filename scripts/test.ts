import { runTests } from './tests.ts'

// npm test [-- WORD ...], npm run test:homes, npm run test:tools
const [first, ...rest] = process.argv.slice(2)
const kind = first === '--homes' ? 'homes' : first === '--tools' ? 'tool' : 'unit'
process.exitCode = await runTests(kind === 'unit' ? process.argv.slice(2) : rest, kind)
