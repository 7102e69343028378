import type { Names } from './names.ts'

/** A new area: named notes that superusers keep. Every file is there; what they hold is to be replaced. */
export function areaFiles(
  { kebab, camel, pascal, snake, title }: Names,
  stamp: string,
): ReadonlyMap<string, string> {
  const migration = `${stamp}-${kebab}`
  return new Map([
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
  open: (deps: Deps): Context => ({ ${camel}: open${pascal}(deps) }),
})
`,
    ],
    [
      'context.ts',
      `import { area } from '../../core/area.ts'
import { type Change, change } from '../../core/change.ts'
import { lock } from '../../core/lock.ts'
import { NotFound } from '../../core/problem.ts'
import { success } from '../../core/reply.ts'
import { deleteRow, insertRow, updateRow } from '../../store/rows.ts'
import type { Deps } from '../deps.ts'
import type { ${pascal}Draft, ${pascal}Edit, ${pascal}Item } from './model.ts'
import { NameTaken } from './problems.ts'
import { ${camel}Queries, type ${pascal}Row } from './store.ts'

/** The area bound to the store. Verbs decide; the executor carries out. */
export function open${pascal}({ store }: Pick<Deps, 'store'>) {
  const queries = ${camel}Queries(store)
  const refuseTaken = async (name: string, id?: number) => {
    const holder = await queries.byName(name)
    if (holder && holder.id !== id) throw NameTaken(\`name: \${name} is taken\`)
  }
  return {
    page: queries.page,
    /** The row of this id, or 404. */
    load: async (id: number): Promise<${pascal}Row> => {
      const row = await queries.byId(id)
      if (row === undefined) throw NotFound(\`id: there is nothing with the id \${id}\`)
      return row
    },
    add: async (draft: ${pascal}Draft, id: number, now: Date): Promise<Change<${pascal}Item>> => {
      await refuseTaken(draft.name)
      const row = { id, name: draft.name, text: draft.text, created_at: now.toISOString(), revision: 1 }
      return change({ summary: \`Create \${draft.name}\`, locks: [${camel}Lock(draft.name)], rows: [insertRow('${snake}', row)], reply: row })
    },
    edit: async (row: ${pascal}Row, edit: ${pascal}Edit): Promise<Change<${pascal}Item>> => {
      const next = { ...row, ...edit, revision: row.revision + 1 }
      await refuseTaken(next.name, row.id)
      const rows = [updateRow('${snake}', { id: row.id, revision: row.revision }, { name: next.name, text: next.text, revision: next.revision })]
      return change({ summary: \`Change \${row.name}\`, locks: [${camel}Lock(next.name)], rows, reply: next })
    },
    remove: (row: ${pascal}Row): Change<{ success: true }> => change({ summary: \`Delete \${row.name}\`, rows: [deleteRow('${snake}', { id: row.id })], reply: success }),
  }
}

const ${camel}Lock = lock('${kebab}')

export interface Context {
  readonly ${camel}: ReturnType<typeof open${pascal}>
}

export const { endpoint } = area.of<Context>()
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
      `import type { ListQuery, Page } from '../../core/reply.ts'
import { readPage } from '../../store/page.ts'
import type { Store } from '../../store/store.ts'

export interface ${pascal}Row {
  readonly id: number
  readonly name: string
  readonly text: string
  readonly created_at: string
  readonly revision: number
}

declare module '../../store/tables.ts' {
  interface Tables {
    readonly ${snake}: ${pascal}Row
  }
}

/** This area's queries. */
export function ${camel}Queries({ db }: Store) {
  return {
    page: (query: ListQuery): Promise<Page<${pascal}Row>> => readPage(db.selectFrom('${snake}').selectAll(), query, { search: ['name', 'text'] }),
    byId: (id: number): Promise<${pascal}Row | undefined> => db.selectFrom('${snake}').selectAll().where('id', '=', id).executeTakeFirst(),
    byName: (name: string): Promise<${pascal}Row | undefined> => db.selectFrom('${snake}').selectAll().where('name', '=', name).executeTakeFirst(),
  }
}
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
import { ${pascal}Draft, ${pascal}Edit, ${pascal}Item, ${pascal}Path } from './model.ts'
import { NameTaken } from './problems.ts'

export const list${pascal} = endpoint({
  method: 'GET',
  path: '',
  summary: '${title}: list them',
  effect: 'reads',
  reply: list(${pascal}Item, { sort: ['name', 'created_at', 'id'], search: ['name', 'text'] }),
  run: ({ query, ${camel} }) => ${camel}.page(query),
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
  run: ({ body, ${camel}, id, now }) => ${camel}.add(body, id('${snake}'), now),
})

export const get${pascal} = endpoint({
  method: 'GET',
  path: '/{id}',
  summary: '${title}: read one',
  effect: 'reads',
  params: ${pascal}Path,
  reply: data(${pascal}Item),
  target: ({ params, ${camel} }) => ${camel}.load(params.id),
  run: ({ target }) => target,
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
  target: ({ params, ${camel} }) => ${camel}.load(params.id),
  run: ({ target, body, ${camel} }) => ${camel}.edit(target, body),
})

export const delete${pascal} = endpoint({
  method: 'DELETE',
  path: '/{id}',
  summary: '${title}: delete one',
  effect: 'destroys',
  category: 'settings',
  params: ${pascal}Path,
  reply: succeeded,
  target: ({ params, ${camel} }) => ${camel}.load(params.id),
  run: ({ target, ${camel} }) => ${camel}.remove(target),
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
