import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, writeFileSync } from 'node:fs'
import { type CallerName, openSchemaPanel } from './panel.ts'

// The process in the sandbox: opens the stand-in panel and runs schemathesis against it.
// node inside.ts FOLDER CALLER SCHEMATHESIS ARG ...
const [folder = '', caller = '', program = '', ...args] = process.argv.slice(2)

const panel = await openSchemaPanel(folder, caller as CallerName)
const output = createWriteStream(`${folder}/output.txt`)
const child = spawn(program, ['run', `${panel.url}/api/openapi.json`, ...args], {
  cwd: import.meta.dirname, // where its configuration is
  env: { ...process.env, HOSTREEVE_TOKENS_URL: panel.tokensUrl },
  stdio: ['ignore', 'pipe', 'pipe'],
})
child.stdout.pipe(output, { end: false })
child.stderr.pipe(output, { end: false })
const [code] = (await once(child, 'close')) as [number | null]
writeFileSync(`${folder}/bugs.txt`, (await panel.close()).join('\n'))
process.exit(code ?? 2)
