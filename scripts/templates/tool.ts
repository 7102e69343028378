import type { Names } from './names.ts'

/** A new tool: finds its program and says its version. */
export function toolFiles({ kebab, camel, pascal, title }: Names): ReadonlyMap<string, string> {
  return new Map([
    [
      'index.ts',
      `import type { Run } from '../../host/run.ts'
import type { Found } from '../program.ts'

/** ${title}, as the panel drives it. */
export interface ${pascal} {
  detect(): Promise<Found>
}

const limits = { timeoutMs: 5000, maxBytes: 64 * 1024 }

/** Opens ${kebab} on a host. Nothing is run before something is asked of it. */
export function open${pascal}(run: Run): ${pascal} {
  return { detect: () => detect(run) }
}

async function detect(run: Run): Promise<Found> {
  const { code, stdout } = await run(['${kebab}', '--version'], limits)
  if (code === 127) return { present: false, version: null, healthy: false, reason: '${kebab} is not installed' }
  const version = /\\d+(?:\\.\\d+)+/.exec(stdout)?.[0] ?? null
  if (code !== 0) return { present: true, version, healthy: false, reason: \`${kebab} --version ended with exit status \${code}\` }
  return { present: true, version, healthy: true, reason: null }
}
`,
    ],
    [
      `${kebab}.test.ts`,
      `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { missing, on, scriptedRun } from '../../host/testing/scripted-run.ts'
import { open${pascal} } from './index.ts'

test('finds the program and its version', async () => {
  const { run } = scriptedRun(on('${kebab} --version', { stdout: '${kebab} 1.2.3\\n' }))
  assert.deepEqual(await open${pascal}(run).detect(), { present: true, version: '1.2.3', healthy: true, reason: null })
})

test('says that the program is not installed', async () => {
  const ${camel} = open${pascal}(scriptedRun(missing('${kebab}')).run)
  assert.deepEqual(await ${camel}.detect(), { present: false, version: null, healthy: false, reason: '${kebab} is not installed' })
})

test('says that a program which fails cannot be used', async () => {
  const { run } = scriptedRun(on('${kebab} --version', { code: 1, stderr: 'no configuration' }))
  assert.deepEqual(await open${pascal}(run).detect(), { present: true, version: null, healthy: false, reason: '${kebab} --version ended with exit status 1' })
})
`,
    ],
  ])
}
