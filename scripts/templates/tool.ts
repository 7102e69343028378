import type { Names } from './names.ts'
import { isRunningVerb, switchProgramFiles } from './switch-program.ts'

/** A new tool: finds its program, says its version, and starts and stops its service. */
export function toolFiles(names: Names): ReadonlyMap<string, string> {
  const { kebab, camel, title } = names
  return new Map([
    [
      'index.ts',
      `import { detectByVersion } from '../detection.ts'
import { tool } from '../tool.ts'
import { switchProgram } from './switch-program.ts'

/** ${title} as managed by the panel. */
export const ${camel} = tool({
  name: '${kebab}',
  title: '${title}',
  packages: ['${kebab}'],
  service: '${kebab}',
  detect: detectByVersion(['${kebab}', '--version']),
  steps: ({ host }) => ({ switchProgram: switchProgram(host.services) }),
  ${isRunningVerb}
})
`,
    ],
    ...switchProgramFiles(names),
    detectionTest(names),
  ])
}

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
