import { runTests } from './tests.ts'

// npm test [-- WORD ...]
process.exitCode = await runTests(process.argv.slice(2))
