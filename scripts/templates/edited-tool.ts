import { fileToolFiles } from './file-tool.ts'
import type { Names } from './names.ts'
import { isRunningVerb } from './switch-program.ts'

/** A new tool with a configuration file that people edit too, of which the panel changes single lines. */
export function editedToolFiles(names: Names): ReadonlyMap<string, string> {
  return new Map([
    ...fileToolFiles(names, `/etc/${names.kebab}`),
    ['index.ts', index(names)],
    ['settings.ts', settings],
    ['settings.test.ts', settingsTest],
    ['steps.test.ts', stepsTest(names)],
  ])
}

const index = ({ kebab, camel, title }: Names) => `import { detectByVersion } from '../detection.ts'
import { edited } from '../tool-files.ts'
import { tool } from '../tool.ts'
import { loading } from './loading.ts'
import { settings } from './settings.ts'
import { switchProgram } from './switch-program.ts'

/** ${title} as managed by the panel. */
export const ${camel} = tool({
  name: '${kebab}',
  title: '${title}',
  packages: ['${kebab}'],
  service: '${kebab}',
  detect: detectByVersion(['${kebab}', '--version']),
  loading,
  files: () => ({
    config: edited('/etc/${kebab}/${kebab}.conf', settings, {
      title: ({ key }) => \`Set \${key}\`,
      partName: ({ key }) => key,
    }),
  }),
  steps: ({ host }) => ({ switchProgram: switchProgram(host.services) }),
  ${isRunningVerb}
})
`

const settings = `import { BadRequest } from '../../core/problem.ts'
import type { Grammar } from '../../host/apply/steps.ts'

interface Setting {
  readonly key: string
  readonly value: string
}

/** Lines of \`key=value\`, the last of which applies; an edit replaces or adds one and keeps every other byte. */
export const settings: Grammar<Setting, null> = {
  edit: (text, { key, value }) => {
    assertOneLine(key, value)
    const { lines, at, line } = find(text, key)
    if (line === undefined) return isWhole(text) ? \`\${text}\${key}=\${value}\\n\` : \`\${text}\\n\${key}=\${value}\`
    if (valueOf(line) === value) return text
    return lines.with(at, \`\${key}=\${value}\${endOf(line)}\`).join('')
  },
  part: (text, { key }) => {
    const { line } = find(text, key)
    return line === undefined ? null : withoutEnd(line)
  },
  keep: () => null,
  takeBack: (text, { key }, { part }) => {
    const { lines, at, line = '' } = find(text, key)
    if (part !== null) return lines.with(at, part + endOf(line)).join('')
    const rest = lines.toSpliced(at, 1).join('')
    return endOf(line) === '' ? withoutEnd(rest) : rest
  },
  mask: (text) => text,
}

function assertOneLine(key: string, value: string): void {
  if (!/^[a-z][\\w.-]*$/i.test(key)) throw BadRequest(\`\${key}: not the name of a setting\`)
  if (/\\p{Cc}/u.test(value) || value !== value.trim())
    throw BadRequest(\`\${key}: the value must be one line without spaces around it\`)
}

function find(text: string, key: string) {
  const lines = text.split(/(?<=\\n)/)
  const at = lines.findLastIndex((line) => line.includes('=') && line.split('=')[0]?.trim() === key)
  return { lines, at, line: lines[at] }
}

const isWhole = (text: string) => text === '' || text.endsWith('\\n')
const valueOf = (line: string) => line.slice(line.indexOf('=') + 1).trim()
const endOf = (line: string) => /\\r?\\n$/.exec(line)?.[0] ?? ''
const withoutEnd = (text: string) => text.replace(/\\r?\\n$/, '')
`

const settingsTest = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../core/problem.ts'
import { settings } from './settings.ts'

const edit = { key: 'size', value: '5' }

for (const [title, text, wanted] of [
  ['an empty file', '', 'size=5\\n'],
  ['a file without the setting', '# size=1\\nother=1\\n', '# size=1\\nother=1\\nsize=5\\n'],
  ['a last line without an end', 'other=1', 'other=1\\nsize=5'],
  ['the last of two lines', 'size=1\\nsize=2\\nother=1\\n', 'size=1\\nsize=5\\nother=1\\n'],
  ['lines that end with CRLF', 'size=1\\r\\nother=1\\r\\n', 'size=5\\r\\nother=1\\r\\n'],
  ['a line with spaces', '  size = 1\\n', 'size=5\\n'],
  ['a line that already has the value', '  size = 5\\n', '  size = 5\\n'],
] as const) {
  test(\`sets a value in \${title}, and takes it back to the byte\`, () => {
    assert.equal(settings.edit(text, edit), wanted)
    const before = { part: settings.part(text, edit), wanted: settings.part(wanted, edit), kept: null, wasServed: true }
    assert.equal(settings.takeBack(wanted, edit, before), text)
  })
}

for (const bad of [
  { key: 'size', value: '5\\nother=1' },
  { key: 'size', value: ' 5' },
  { key: 'size=1\\nother', value: '5' },
  { key: '', value: '5' },
]) {
  test(\`refuses \${JSON.stringify(bad)}\`, () => {
    assert.throws(() => settings.edit('', bad), Problem)
  })
}
`

const stepsTest = ({ kebab, camel }: Names) => `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { ${camel} } from './index.ts'
import { type Machine, openMachine } from './testing/machine.ts'

const path = '/etc/${kebab}/${kebab}.conf'
const former = '# by the package\\nsize=1\\n'
const look = async ({ files, served }: Machine) => ({ written: await files.read(path), served: served() })
const both = (text: string) => ({ written: text, served: text })

proveStep<Machine>('${kebab}.edit-config', {
  machine: (t) => openMachine(scratchRoot(t), path, former),
  open: ({ host }, door) => ${camel}.open(host(door)).steps.editConfig,
  look,
  cases: {
    'a changed line': {
      args: { key: 'size', value: '5' },
      wanted: both('# by the package\\nsize=5\\n'),
      handEdit: ({ files }) => files.write(path, \`\${former}mine=1\\n\`),
      onTop: both('# by the package\\nsize=5\\nmine=1\\n'),
    },
    'a new line': {
      args: { key: 'speed', value: 'high' },
      wanted: both(\`\${former}speed=high\\n\`),
      handEdit: ({ files }) => files.write(path, \`\${former}mine=1\\n\`),
      onTop: both(\`\${former}mine=1\\nspeed=high\\n\`),
    },
  },
})

test('keeps nothing of an edit that the program refuses', async (t) => {
  const machine = await openMachine(scratchRoot(t), path, former)
  const { editConfig } = ${camel}.open(machine.host((thing) => thing)).steps
  const args = { key: 'size', value: 'forbidden' }
  await assert.rejects(editConfig.act(args, stepRun(await editConfig.observe(args))), /line 1: forbidden/)
  assert.deepEqual(await look(machine), both(former))
})
`
