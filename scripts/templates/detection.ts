import type { Names } from './names.ts'

/** The test of how a new tool is found. */
export const detectionTest = ({ kebab, camel }: Names): readonly [string, string] => [
  `${kebab}.test.ts`,
  `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openHost } from '../../host/index.ts'
import { missing, on, type Script, scriptedRun } from '../../host/testing/scripted-run.ts'
import { ${camel} } from './index.ts'

const detect = (script: Script) => ${camel}.open(openHost({ run: scriptedRun(script).run })).detect()

test('finds the program and its version', async () => {
  assert.deepEqual(await detect(on('${kebab} --version', { stdout: '${kebab} 1.2.3\\n' })), {
    present: true,
    version: '1.2.3',
    healthy: true,
    reason: null,
  })
})

test('says that the program is not installed', async () => {
  assert.equal((await detect(missing('${kebab}'))).reason, '${kebab} is not installed')
})
`,
]
