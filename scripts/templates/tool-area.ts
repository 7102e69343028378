import type { Names } from './names.ts'

/** A new area over the tool of the same name: its state, which superusers read. */
export function toolAreaFiles({ kebab, camel, pascal, title }: Names): ReadonlyMap<string, string> {
  return new Map([
    [
      'area.ts',
      `import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, open${pascal} } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'

export const ${camel} = area({
  name: '${kebab}',
  title: '${title}',
  base: '/${kebab}',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
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
}

/** Binds the area to its tool. */
export function open${pascal}({ tools }: Deps): ${pascal} {
  return { tool: tools.${camel} }
}

export interface Context {
  readonly ${camel}: ${pascal}
}

export const { endpoint } = area.of<Context>()
`,
    ],
    [
      'model.ts',
      `import Type, { type Static } from 'typebox'
import { Text } from '../../core/schemas.ts'

const Nullable = (description: string) => Type.Union([Text(500), Type.Null()], { description })

export const ${pascal}Status = Type.Object({
  present: Type.Boolean({ description: 'Whether the program is installed' }),
  version: Nullable('Version of the program'),
  healthy: Type.Boolean({ description: 'Whether it can be used' }),
  reason: Nullable('Why it cannot be used'),
})
export type ${pascal}Status = Static<typeof ${pascal}Status>
`,
    ],
    [
      'status.ts',
      `import type { ${pascal} } from './context.ts'
import type { ${pascal}Status } from './model.ts'

/** Reads whether the program is installed and can be used. */
export async function readStatus({ tool }: ${pascal}): Promise<${pascal}Status> {
  const { present, version, healthy, reason } = await tool.detect()
  return { present, version, healthy, reason }
}
`,
    ],
    [
      'endpoints.ts',
      `import { data } from '../../core/reply.ts'
import { endpoint } from './context.ts'
import { ${pascal}Status } from './model.ts'
import * as status from './status.ts'

export const get${pascal}Status = endpoint({
  method: 'GET',
  path: '/status',
  summary: '${title}: read the state of the program',
  effect: 'reads',
  reply: data(${pascal}Status),
  run: ({ ${camel} }) => status.readStatus(${camel}),
})
`,
    ],
    ['index.ts', `export { ${camel} } from './area.ts'\n`],
    [
      'endpoints.test.ts',
      `import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openTestPanel, type TestPanel } from '../../../test/support/panel.ts'

describe('${kebab}', () => {
  let panel: TestPanel
  before(async () => void (panel = await openTestPanel()))
  after(() => panel.close())

  test('says that the program is not installed', async () => {
    const { status, data } = await panel.request('GET', '/api/${kebab}/status', { as: panel.admin })
    assert.equal(status, 200)
    assert.deepEqual(data, { present: false, version: null, healthy: false, reason: '${kebab} is not installed' })
  })

  test('requires a superuser', async () => {
    const person = await panel.person({ permissions: ['administrative_operations'] })
    assert.equal((await panel.request('GET', '/api/${kebab}/status', { as: person })).error.code, 'forbidden')
    assert.equal((await panel.request('GET', '/api/${kebab}/status')).error.code, 'unauthorized')
  })
})
`,
    ],
  ])
}
