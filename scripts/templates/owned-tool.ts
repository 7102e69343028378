import { fileToolFiles } from './file-tool.ts'
import type { Names } from './names.ts'
import { isRunningVerb } from './switch-program.ts'

/** A new tool with a configuration file that the panel renders. */
export function ownedToolFiles(names: Names): ReadonlyMap<string, string> {
  return new Map([
    ...fileToolFiles(names, directoryOf(names)),
    ['index.ts', index(names)],
    ['render-config.ts', render(names)],
    ['render-config.test.ts', renderTest],
    ['golden/config.conf', golden],
    ['steps.test.ts', stepsTest(names)],
  ])
}

const directoryOf = ({ kebab }: Names) => `/etc/${kebab}/conf.d`

const index = (names: Names) => {
  const { kebab, camel, title } = names
  return `import { detectByVersion } from '../detection.ts'
import { owned } from '../tool-files.ts'
import { tool } from '../tool.ts'
import { loading } from './loading.ts'
import { type Config, renderConfig } from './render-config.ts'
import { switchProgram } from './switch-program.ts'

interface WriteConfigArgs {
  /** Null removes the file. */
  readonly config: Config | null
  readonly overwrite?: boolean
}

const path = '${directoryOf(names)}/hostreeve.conf'

/** ${title} as managed by the panel. */
export const ${camel} = tool({
  name: '${kebab}',
  title: '${title}',
  packages: ['${kebab}'],
  service: '${kebab}',
  detect: detectByVersion(['${kebab}', '--version']),
  loading,
  files: () => ({
    config: owned<WriteConfigArgs>({
      title: ({ config }) => \`\${config === null ? 'Remove' : 'Write'} the configuration of ${title}\`,
      files: ({ config }) => [{ path, content: config === null ? null : renderConfig(config) }],
      overwrites: ({ overwrite = false }) => overwrite,
    }),
  }),
  steps: ({ host }) => ({ switchProgram: switchProgram(host.services) }),
  ${isRunningVerb}
})
`
}

const render = ({ title }: Names) => `/** What the panel configures of ${title}. */
export interface Config {
  readonly port: number
  readonly banner: string
}

/** Renders the file; texts are quoted as in JSON. */
export const renderConfig = ({ port, banner }: Config): string =>
  \`port=\${port}\\nbanner=\${JSON.stringify(banner)}\\n\`
`

const renderTest = `import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { renderConfig } from './render-config.ts'

test('renders the golden file, with quotes and line ends in a text quoted', () => {
  const golden = readFileSync(new URL('golden/config.conf', import.meta.url), 'utf8')
  assert.equal(renderConfig({ port: 8080, banner: 'a "b"\\nport=1' }), golden)
})
`

const golden = `port=8080
banner="a \\"b\\"\\nport=1"
`

const stepsTest = (names: Names) => {
  const { kebab, camel } = names
  return `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepRun } from '../../../test/support/step-run.ts'
import { proveStep, scratchRoot } from '../../../test/support/step-suite.ts'
import { ${camel} } from './index.ts'
import { renderConfig } from './render-config.ts'
import { type Machine, openMachine } from './testing/machine.ts'

const path = '${directoryOf(names)}/hostreeve.conf'
const config = { port: 8080, banner: 'Welcome' }
const withoutStamp = (text = '') => text.replace(/^# hostreeve: .*\\n/, '')
const look = async ({ files, served }: Machine) => ({
  written: withoutStamp(await files.read(path)),
  served: withoutStamp(served()),
})
const byHand = ({ files }: Machine) => files.write(path, 'by hand\\n')

proveStep<Machine>('${kebab}.write-config', {
  machine: (t) => openMachine(scratchRoot(t), path),
  open: ({ host }, door) => ${camel}.open(host(door)).steps.writeConfig,
  look,
  cases: {
    'a new file': {
      args: { config },
      wanted: { written: renderConfig(config), served: renderConfig(config) },
      handEdit: byHand,
      refusedAfter: byHand,
    },
  },
})

test('keeps nothing of a file that the program refuses', async (t) => {
  const machine = await openMachine(scratchRoot(t), path)
  const { writeConfig } = ${camel}.open(machine.host((thing) => thing)).steps
  const args = { config: { ...config, banner: 'forbidden' } }
  await assert.rejects(writeConfig.act(args, stepRun(await writeConfig.observe(args))), /line 1: forbidden/)
  assert.deepEqual(await look(machine), { written: '', served: '' })
})
`
}
