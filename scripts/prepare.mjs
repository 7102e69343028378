// Provides what npm start needs to run the panel: the locked packages and a bundle of the present sources.
import { existsSync, utimesSync } from 'node:fs'
import { ensureInstalled, root, runOnProjectNode } from './ensure.mjs'

ensureInstalled()
// npm start compares times first: nothing is newer than the files that were just checked
const now = new Date()
utimesSync(`${root}node_modules/.package-lock.json`, now, now)
const code = runOnProjectNode(['scripts/build.ts'])
if (code === 0 && existsSync(`${root}dist/sources.sha256`)) utimesSync(`${root}dist/sources.sha256`, now, now)
process.exit(code)
