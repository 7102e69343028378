import type { Names } from './names.ts'
import { detectionTest } from './detection.ts'
import { isRunningVerb, switchProgramFiles } from './switch-program.ts'

/** A new tool that is driven through its HTTP API: one object that a step sets and removes. */
export function apiToolFiles(names: Names): ReadonlyMap<string, string> {
  const { kebab, camel, title } = names
  return new Map([
    detectionTest(names),
    ...switchProgramFiles(names),
    [
      'index.ts',
      `import { detectByVersion } from '../detection.ts'
import { type Opening, tool } from '../tool.ts'
import { setItem } from './set-item.ts'
import { switchProgram } from './switch-program.ts'

interface Options {
  /** The port of its API on loopback. */
  readonly port?: number
}

/** ${title} as managed by the panel. */
export const ${camel} = tool({
  name: '${kebab}',
  title: '${title}',
  packages: ['${kebab}'],
  service: '${kebab}',
  open: ({ host, name }: Opening, { port = 8080 }: Options = {}) => ({
    api: host.connect.http({ name, at: { port } }),
  }),
  detect: detectByVersion(['${kebab}', '--version']),
  steps: ({ api, host }) => ({ setItem: setItem(api), switchProgram: switchProgram(host.services) }),
  ${isRunningVerb}
})
`,
    ],
    [
      'set-item.ts',
      `import { type ApiConnection, apiStep } from '../../host/apply/steps.ts'

interface ItemArgs {
  readonly name: string
  /** Null removes it. */
  readonly value: string | null
}

/** The step that sets or removes an item. */
export const setItem = (api: ApiConnection) =>
  apiStep<ItemArgs, string>(api, {
    name: '${kebab}.set-item',
    title: ({ name }) => \`Set the item \${name}\`,
    object: ({ name }) => name,
    read: ({ name }) => ({ method: 'GET', path: pathOf(name) }),
    stateOf: (body) => JSON.stringify(body),
    wanted: ({ value }) => (value === null ? undefined : JSON.stringify({ value })),
    write: ({ name }, state) => [
      state === undefined
        ? { method: 'DELETE', path: pathOf(name) }
        : { method: 'PUT', path: pathOf(name), body: JSON.parse(state) },
    ],
    show: (state) => state,
  })

const pathOf = (name: string) => \`/items/\${encodeURIComponent(name)}\`
`,
    ],
    [
      'set-item.test.ts',
      `import { once } from 'node:events'
import { createServer } from 'node:http'
import type { TestContext } from 'node:test'
import { proveStep } from '../../../test/support/step-suite.ts'
import { openHost } from '../../host/index.ts'
import { setItem } from './set-item.ts'

interface Machine {
  readonly items: Map<string, string>
  readonly port: number
}

/** A stand-in for the API: items by their path. */
async function machine(t: TestContext): Promise<Machine> {
  const items = new Map<string, string>()
  const server = createServer(async (request, answer) => {
    const path = request.url ?? ''
    const body = Buffer.concat(await request.toArray()).toString()
    if (request.method === 'PUT') items.set(path, body)
    const item = items.get(path)
    if (request.method === 'DELETE') items.delete(path)
    answer.writeHead(item === undefined ? 404 : 200, { 'content-type': 'application/json' }).end(item)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  return { items, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

const byHand = ({ items }: Machine) => items.set('/items/a', '{"value":"by hand"}')

proveStep<Machine>('${kebab}.set-item', {
  machine,
  open: ({ port }, door) => setItem(door(openHost().connect.http({ name: '${title}', at: { port } }))),
  look: ({ items }) => Object.fromEntries(items),
  cases: {
    'a new item': {
      args: { name: 'a', value: 'x' },
      wanted: { '/items/a': '{"value":"x"}' },
      handEdit: byHand,
    },
    'a removed item': {
      args: { name: 'a', value: null },
      arrange: ({ items }) => items.set('/items/a', '{"value":"x"}'),
      wanted: {},
      handEdit: byHand,
    },
  },
})
`,
    ],
  ])
}
