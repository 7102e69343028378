import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { describe } from 'node:test'

// The one file that a process of tests is started with: it loads those that HOSTREEVE_TEST_FILES lists, each into a suite of
// its own. Loaded by Node itself with --test-isolation=none, the hooks at the top of one file would run for the tests of all
// others, and a file that throws after it has declared a test would pass. Loaded by require, as only what is declared
// synchronously belongs to the suite: a test file has no await at its top.
const require = createRequire(import.meta.url)
const files: readonly string[] = JSON.parse(process.env['HOSTREEVE_TEST_FILES'] ?? '[]')
for (const file of files) describe(file, () => void require(resolve(file)))
