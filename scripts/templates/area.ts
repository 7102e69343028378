import type { Names } from './names.ts'
import { rowsPages } from './rows-pages.ts'

/** A group of the menu, and the place in it. */
export interface MenuPlace {
  readonly group: string
  readonly order: number
}

interface RowsArea {
  /** The beginning of the migration's name: the digits of the time. */
  readonly stamp: string
  /** The place of the menu entry. */
  readonly place: MenuPlace
}

/** A new area over a table of its own: named notes that superusers keep, to be replaced. */
export function rowsAreaFiles(names: Names, { stamp, place }: RowsArea): ReadonlyMap<string, string> {
  const { kebab, camel, pascal, snake, title } = names
  const migration = `${stamp}-${kebab}`
  return new Map([
    ...rowsPages(names),
    [
      'area.ts',
      `import { area } from '../../core/area.ts'
import { superuser } from '../../core/guard.ts'
import type { Deps } from '../deps.ts'
import { type Context, open${pascal} } from './context.ts'
import * as endpoints from './endpoints.ts'
import * as model from './model.ts'
import { create${pascal} } from './migrations/${migration}.ts'

export const ${camel} = area({
  name: '${kebab}',
  title: '${title}',
  base: '/${kebab}',
  guard: superuser,
  errors: 'coded',
  endpoints,
  schemas: model,
  migrations: [create${pascal}],
  menu: { group: '${place.group}', path: '/${kebab}', order: ${place.order} },
  open: (deps: Deps): Context => ({ ${camel}: open${pascal}(deps) }),
})
`,
    ],
    [
      'context.ts',
      `import { area } from '../../core/area.ts'
import type { Deps } from '../deps.ts'
import { type ${pascal}Queries, ${camel}Queries } from './store.ts'

/** The rows of the area, as its verbs reach them. */
export interface ${pascal} {
  readonly queries: ${pascal}Queries
}

/** Binds the area to the store. */
export function open${pascal}({ store }: Deps): ${pascal} {
  return { queries: ${camel}Queries(store) }
}

export interface Context {
  readonly ${camel}: ${pascal}
}

export const { endpoint } = area.of<Context>()
`,
    ],
    [
      'items.ts',
      `import { type Change, change } from '../../core/change.ts'
import type { Deciding } from '../../core/endpoint.ts'
import { lock } from '../../core/lock.ts'
import { success } from '../../core/reply.ts'
import type { ${pascal} } from './context.ts'
import type { ${pascal}Draft, ${pascal}Edit, ${pascal}Item } from './model.ts'
import { NameTaken } from './problems.ts'
import { ${camel}, type ${pascal}Row } from './store.ts'

const ${camel}Lock = lock('${kebab}')

/** Creates one. */
export async function create(on: ${pascal}, draft: ${pascal}Draft, { id, now }: Deciding): Promise<Change<${pascal}Item>> {
  await refuseTaken(on, draft.name)
  const row = ${camel}.row({ ...draft, id: id(${camel}.name), created_at: now.toISOString() })
  return change({
    summary: \`Create \${draft.name}\`,
    locks: [${camel}Lock(draft.name)],
    rows: [${camel}.insert(row)],
    reply: ${camel}.show(row),
  })
}

/** Changes the given fields. */
export async function edit(on: ${pascal}, row: ${pascal}Row, set: ${pascal}Edit): Promise<Change<${pascal}Item>> {
  const next = ${camel}.changed(row, set)
  await refuseTaken(on, next.name, row.id)
  return change({
    summary: \`Change \${row.name}\`,
    locks: [${camel}Lock(next.name)],
    rows: [${camel}.update(row, set)],
    reply: ${camel}.show(next),
  })
}

/** Deletes one. */
export function remove(row: ${pascal}Row): Change<{ success: true }> {
  return change({ summary: \`Delete \${row.name}\`, rows: [${camel}.delete({ id: row.id })], reply: success })
}

async function refuseTaken({ queries }: ${pascal}, name: string, exceptId?: number): Promise<void> {
  const other = await queries.find({ name })
  if (other && other.id !== exceptId) throw NameTaken(\`name: \${name} is taken\`)
}
`,
    ],
    [
      'model.ts',
      `import Type, { type Static } from 'typebox'
import { Id, Optional, Prose, Revision, Text, Time } from '../../core/schemas.ts'

const Name = Text(100, { minLength: 1, description: 'Name', expects: 'a name of 1 to 100 characters' })
const Body = Prose(10_000, { description: 'What it says' })

export const ${pascal}Item = Type.Object({ id: Id, name: Name, text: Body, created_at: Time, revision: Revision })
export type ${pascal}Item = Static<typeof ${pascal}Item>

export const ${pascal}Draft = Type.Object({ name: Name, text: Prose(10_000, { description: 'What it says', default: '' }) })
export type ${pascal}Draft = Static<typeof ${pascal}Draft>

export const ${pascal}Edit = Type.Object({ name: Optional(Name), text: Optional(Body) })
export type ${pascal}Edit = Static<typeof ${pascal}Edit>

export const ${pascal}Path = Type.Object({ id: Id })
`,
    ],
    [
      'problems.ts',
      `import { problem } from '../../core/problem.ts'

export const NameTaken = problem('bad_request', 400, 'The name is taken')
`,
    ],
    [
      'store.ts',
      `import { id, revision, text, time } from '../../store/columns.ts'
import type { Store } from '../../store/store.ts'
import { queriesOf } from '../../store/table-queries.ts'
import { type RowOf, table } from '../../store/table.ts'

export const ${camel} = table(
  '${snake}',
  { id: id(), name: text(100, { unique: true }), text: text(10_000), created_at: time(), revision: revision() },
  { noun: '${title.toLowerCase()}', search: ['name', 'text'] },
)
export type ${pascal}Row = RowOf<typeof ${camel}>

declare module '../../store/tables.ts' {
  interface Tables {
    readonly ${snake}: ${pascal}Row
  }
}

/** Returns this area's queries. */
export const ${camel}Queries = (store: Store) => queriesOf(store, ${camel})

export type ${pascal}Queries = ReturnType<typeof ${camel}Queries>
`,
    ],
    [
      `migrations/${migration}.ts`,
      `import type { Migration } from '../../../core/area.ts'

export const create${pascal}: Migration = {
  name: '${migration}',
  statements: [
    \`create table ${snake} (
      id integer primary key, name text not null unique, text text not null, created_at text not null, revision integer not null
    )\`,
  ],
}
`,
    ],
    [
      'endpoints.ts',
      `import { created, data, list, succeeded } from '../../core/reply.ts'
import { endpoint } from './context.ts'
import * as items from './items.ts'
import { ${pascal}Draft, ${pascal}Edit, ${pascal}Item, ${pascal}Path } from './model.ts'
import { NameTaken } from './problems.ts'
import { ${camel} as rows } from './store.ts'

export const list${pascal} = endpoint({
  method: 'GET',
  path: '',
  summary: '${title}: list them',
  effect: 'reads',
  reply: list(${pascal}Item, { sort: ['name', 'created_at', 'id'], search: rows.search }),
  run: ({ query, ${camel} }) => ${camel}.queries.page(query),
})

export const add${pascal} = endpoint({
  method: 'POST',
  path: '',
  summary: '${title}: create one',
  effect: 'changes',
  category: 'settings',
  body: ${pascal}Draft,
  reply: created(${pascal}Item),
  throws: { bad_request: NameTaken },
  run: ({ ${camel}, body, ...request }) => items.create(${camel}, body, request),
})

export const get${pascal} = endpoint({
  method: 'GET',
  path: '/{id}',
  summary: '${title}: read one',
  effect: 'reads',
  params: ${pascal}Path,
  reply: data(${pascal}Item),
  target: ({ params, ${camel} }) => ${camel}.queries.load({ id: params.id }),
  run: ({ target }) => rows.show(target),
})

export const edit${pascal} = endpoint({
  method: 'PATCH',
  path: '/{id}',
  summary: '${title}: change one',
  effect: 'changes',
  category: 'settings',
  params: ${pascal}Path,
  body: ${pascal}Edit,
  reply: data(${pascal}Item),
  throws: { bad_request: NameTaken },
  target: ({ params, ${camel} }) => ${camel}.queries.load({ id: params.id }),
  run: ({ ${camel}, target, body }) => items.edit(${camel}, target, body),
})

export const delete${pascal} = endpoint({
  method: 'DELETE',
  path: '/{id}',
  summary: '${title}: delete one',
  effect: 'destroys',
  category: 'settings',
  params: ${pascal}Path,
  reply: succeeded,
  target: ({ params, ${camel} }) => ${camel}.queries.load({ id: params.id }),
  run: ({ target }) => items.remove(target),
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

  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    panel.request(method, \`/api/${kebab}\${path}\`, { as: panel.admin, headers, ...(body !== undefined && { body }) })
  const add = async (name: string) => (await ask('POST', '', { name })).data

  test('creates one, which is then listed, found and read', async () => {
    const { status, data } = await ask('POST', '', { name: 'first', text: 'what it says' })
    assert.equal(status, 201)
    assert.deepEqual((await ask('GET', \`/\${data.id}\`)).data, data)
    const found = await ask('GET', '?search=what+it')
    assert.deepEqual([found.data.items, found.data.total], [[data], 1])
  })

  test('shows what creating one would do without doing it', async () => {
    const { status, data } = await ask('POST', '?plan=1', { name: 'planned' })
    assert.deepEqual([status, data.summary], [200, 'Create planned'])
    assert.equal((await ask('GET', '?search=planned')).data.total, 0)
  })

  test('changes one, and refuses a change that rests on an old revision', async () => {
    const { id } = await add('changing')
    const changed = await ask('PATCH', \`/\${id}\`, { text: 'new' }, { 'if-match': '"1"' })
    assert.deepEqual([changed.status, changed.data.text, changed.data.revision], [200, 'new', 2])
    const stale = await ask('PATCH', \`/\${id}\`, { text: 'late' }, { 'if-match': '"1"' })
    assert.deepEqual([stale.status, stale.error.code], [409, 'conflict'])
  })

  test('deletes one, which is then 404', async () => {
    const { id } = await add('leaving')
    assert.equal((await ask('DELETE', \`/\${id}\`)).status, 200)
    for (const method of ['GET', 'PATCH', 'DELETE']) assert.equal((await ask(method, \`/\${id}\`, {})).error.code, 'not_found')
  })

  test('refuses a name that is taken', async () => {
    await add('taken')
    const { id } = await add('other')
    for (const { status, error } of [await ask('POST', '', { name: 'taken' }), await ask('PATCH', \`/\${id}\`, { name: 'taken' })])
      assert.deepEqual([status, error.code, error.message], [400, 'bad_request', 'name: taken is taken'])
  })

  for (const [what, body] of [['no name', {}], ['an empty name', { name: '' }], ['a name of two lines', { name: 'a\\nb' }], ['a text that is none', { name: 'x', text: 7 }]] as const) {
    test(\`refuses \${what}, naming the field\`, async () => {
      const { status, error } = await ask('POST', '', body)
      assert.deepEqual([status, error.code], [400, 'bad_request'])
      assert.match(error.message, /^(?:name|text): /)
    })
  }

  test('asks for a superuser', async () => {
    const person = await panel.person({ permissions: ['administrative_operations'] })
    for (const [method, path] of [['GET', ''], ['POST', ''], ['GET', '/1'], ['PATCH', '/1'], ['DELETE', '/1']] as const) {
      assert.equal((await panel.request(method, \`/api/${kebab}\${path}\`, { as: person })).error.code, 'forbidden')
      assert.equal((await panel.request(method, \`/api/${kebab}\${path}\`)).error.code, 'unauthorized')
    }
  })
})
`,
    ],
  ])
}
