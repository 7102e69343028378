import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, writeFileSync } from 'node:fs'
import { type CallerName, openSchemaPanel } from './panel.ts'

// The process in the sandbox: opens the panel and runs schemathesis against it.
// node inside.ts FOLDER CALLER PYTHON ARG ...
const [folder = '', caller = '', python = '', ...args] = process.argv.slice(2)

const panel = await openSchemaPanel(folder, caller as CallerName)
const output = openSync(`${folder}/output.txt`, 'w')
const child = spawn(python, ['-m', 'schemathesis.cli', 'run', `${panel.url}/api/openapi.json`, ...args], {
  cwd: import.meta.dirname, // where its configuration is
  env: { ...process.env, HOSTREEVE_TOKENS_URL: panel.tokensUrl },
  stdio: ['ignore', output, output],
})
await once(child, 'exit')
writeFileSync(`${folder}/panel.json`, JSON.stringify(await panel.close()))
process.exit(0)
