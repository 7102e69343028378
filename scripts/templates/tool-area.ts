import type { MenuPlace } from './area.ts'
import type { Names } from './names.ts'
import { toolPages } from './tool-pages.ts'

/**
 * A new area over the tool of the same name: its state and its life cycle, for superusers. `place` is that of its menu entry
 * in the group.
 */
export function toolAreaFiles(names: Names, place: MenuPlace): ReadonlyMap<string, string> {
  const { kebab, camel, pascal, title } = names
  return new Map([
    ...toolPages(names),
    [
      'area.ts',
      `import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { programs } from '../programs/index.ts'
import { type Context, open${pascal} } from './context.ts'
import * as endpoints from './endpoints.ts'
import { ${camel}Lifecycle } from './lifecycle.ts'
import * as model from './model.ts'

export const ${camel} = area({
  name: '${kebab}',
  title: '${title}',
  base: '/${kebab}',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  jobs: ${camel}Lifecycle.jobs,
  uses: [programs],
  menu: { group: '${place.group}', path: '/${kebab}', order: ${place.order} },
  needs: ['${kebab}'],
  open: (deps: Deps): Context => ({ ${camel}: open${pascal}(deps) }),
})
`,
    ],
    [
      'context.ts',
      `import { area } from '../../core/area.ts'
import type { Tools } from '../../tools/open-tools.ts'
import type { Deps } from '../deps.ts'

/** The tool, as the verbs of the area reach it. */
export interface ${pascal} {
  readonly tool: Tools['${camel}']
  readonly programSteps: Tools['programSteps']
}

/** Binds the area to its tool. */
export function open${pascal}({ tools }: Deps): ${pascal} {
  return { tool: tools.${camel}, programSteps: tools.programSteps }
}

export interface Context {
  readonly ${camel}: ${pascal}
}

export const { endpoint, work } = area.of<Context>()
`,
    ],
    [
      'model.ts',
      `import Type, { type Static } from 'typebox'
import { Text } from '../../core/schemas.ts'

const Nullable = (description: string) => Type.Union([Text(500), Type.Null()], { description })

export const ${pascal}Status = Type.Object({
  installed: Type.Boolean({ description: 'Whether the program is installed' }),
  running: Type.Boolean({ description: 'Whether its service runs' }),
  version: Nullable('Version of the program'),
  reason: Nullable('Why it cannot be used'),
})
export type ${pascal}Status = Static<typeof ${pascal}Status>
`,
    ],
    [
      'status.ts',
      `import type { ${pascal} } from './context.ts'
import type { ${pascal}Status } from './model.ts'

/** Reads whether the program is installed and runs. */
export async function readStatus({ tool }: ${pascal}): Promise<${pascal}Status> {
  const { present, version, reason } = await tool.detect()
  return { installed: present, running: present && (await tool.isRunning()), version, reason }
}
`,
    ],
    [
      'lifecycle.ts',
      `import { singleLock } from '../../core/lock.ts'
import { data } from '../../core/reply.ts'
import { ServiceFailed } from '../../host/services.ts'
import { lifecycle } from '../lifecycle.ts'
import { installing } from '../programs/index.ts'
import { type Context, endpoint, work } from './context.ts'
import { ${pascal}Status } from './model.ts'
import * as status from './status.ts'

const serviceLock = singleLock('${kebab} service')
const throws = { service_failed: ServiceFailed }

/** The life cycle of the program. */
export const ${camel}Lifecycle = lifecycle(
  '${kebab}',
  { endpoint, work },
  {
    area: '${kebab}',
    title: '${title}',
    role: '${title}',
    on: ({ ${camel} }: Context) => ${camel},
    locks: [serviceLock],
    installing,
    status: {
      summary: '${title}: read the state of the program',
      reply: data(${pascal}Status),
      run: ({ ${camel} }) => status.readStatus(${camel}),
    },
    switches: {
      start: { summary: '${title}: start the program', throws },
      stop: { summary: '${title}: stop the program', throws },
      restart: { summary: '${title}: restart the program', throws },
    },
    install: { summary: '${title}: install the program' },
    uninstall: { summary: '${title}: remove the program; its configuration stays' },
  },
)
`,
    ],
    [
      'endpoints.ts',
      `import { ${camel}Lifecycle } from './lifecycle.ts'

export const { readStatus, install, uninstall, start, stop, restart } = ${camel}Lifecycle.endpoints
`,
    ],
    ['index.ts', `export { ${camel} } from './area.ts'\n`],
    [
      'endpoints.test.ts',
      `import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'
import { scriptSystemd } from '../../host/testing/scripted-host.ts'
import { on, type Script } from '../../host/testing/scripted-run.ts'

describe('${kebab}', () => {
  const service = { isActive: false, isEnabled: true }
  const installed = on('${kebab} --version', { stdout: '${kebab} 1.2.3\\n' })
  let script: Script
  let panel: TestPanel
  before(async () => {
    const scripts = [(...asked: Parameters<Script>) => script(...asked), scriptSystemd(new Map([['${kebab}', service]]))]
    panel = await openTestPanel({ scripts })
  })
  after(() => panel.close())

  const ask = (method: string, path: string) => panel.request(method, \`/api/${kebab}\${path}\`, { as: panel.admin })

  test('says that the program is not installed, and does not start it', async () => {
    script = () => undefined
    const { status, data } = await ask('GET', '/status')
    assert.equal(status, 200)
    assert.deepEqual(data, { installed: false, running: false, version: null, reason: '${kebab} is not installed' })
    for (const verb of ['start', 'uninstall']) assert.equal((await ask('POST', \`/\${verb}\`)).error.code, 'unavailable')
  })

  test('starts, restarts and stops the program, and reads its state', async () => {
    script = installed
    for (const [verb, running] of [['start', true], ['restart', true], ['stop', false]] as const) {
      assert.equal((await ask('POST', \`/\${verb}\`)).status, 200)
      assert.equal(service.isActive, running)
      assert.deepEqual((await ask('GET', '/status')).data, { installed: true, running, version: '1.2.3', reason: null })
    }
  })

  test('reports what the service said when it does not start', async () => {
    const start = on('systemctl --no-ask-password start -- ${kebab}.service', { code: 1, stderr: 'port in use' })
    script = (argv, options) => installed(argv, options) ?? start(argv, options)
    const { status, error } = await ask('POST', '/start')
    assert.deepEqual([status, error.code], [500, 'service_failed'])
    assert.match(error.message, /port in use/)
  })

  test('installs and removes the program through jobs', async () => {
    script = installed
    for (const verb of ['install', 'uninstall']) {
      const { status, data } = await ask('POST', \`/\${verb}\`)
      assert.deepEqual([status, typeof data.job_id], [202, 'number'])
    }
  })

  test('requires a superuser', async () => {
    const person = await panel.person({ permissions: ['administrative_operations'] })
    for (const [method, path] of [['GET', '/status'], ['POST', '/start'], ['POST', '/stop'], ['POST', '/restart'], ['POST', '/install'], ['POST', '/uninstall']] as const) {
      assert.equal((await panel.request(method, \`/api/${kebab}\${path}\`, { as: person })).error.code, 'forbidden')
      assert.equal((await panel.request(method, \`/api/${kebab}\${path}\`)).error.code, 'unauthorized')
    }
  })
})
`,
    ],
  ])
}
