import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { before, describe, it } from 'node:test'
import { areas } from '../../src/app/areas.ts'
import type { Column } from '../../src/store/columns.ts'
import type { Table } from '../../src/store/table.ts'

/** Tables of areas that are not declared yet. */
const undeclared = [
  'file_downloads',
  'file_heads',
  'file_uploads',
  'file_versions',
  'vcs_credentials',
  'vcs_host_keys',
]

interface Info {
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly pk: number
}

type Shape = Readonly<Record<string, object>>

/** The columns that the migrations of the areas create, by table. */
function migrated(): ReadonlyMap<string, Shape> {
  const db = new DatabaseSync(':memory:')
  const migrations = areas.flatMap((area) => area.migrations ?? [])
  for (const { statements } of migrations.toSorted((a, b) => a.name.localeCompare(b.name)))
    for (const statement of statements) db.exec(statement)
  const names = db.prepare("select name from sqlite_schema where type = 'table'").all()
  return new Map(names.map(({ name }) => [String(name), shapeOf(db, String(name))]))
}

function shapeOf(db: DatabaseSync, table: string): Shape {
  const rows = <Row>(pragma: string): Row[] => db.prepare(`pragma ${pragma}`).all() as Row[]
  const unique = new Set(
    rows<{ name: string; unique: number }>(`index_list(${table})`)
      .filter((index) => index.unique === 1)
      .map(({ name }) => rows<{ name: string }>(`index_info(${name})`).map((column) => column.name))
      .filter((columns) => columns.length === 1)
      .flat(),
  )
  const refs = new Map(
    rows<{ from: string; table: string }>(`foreign_key_list(${table})`).map((key) => [key.from, key.table]),
  )
  return Object.fromEntries(
    rows<Info>(`table_info(${table})`).map(({ name, type, notnull, pk }) => [
      name,
      {
        type: type.toLowerCase(),
        isNullable: notnull === 0 && pk === 0,
        isKey: pk > 0,
        isUnique: pk === 0 && unique.has(name),
        refersTo: refs.get(name),
      },
    ]),
  )
}

const declaredShape = (table: Table): Shape =>
  Object.fromEntries(
    Object.entries(table.columns).map(
      ([name, { type, isNullable, isKey, isUnique, refersTo }]: [string, Column]) => [
        name,
        { type, isNullable, isKey, isUnique, refersTo },
      ],
    ),
  )

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && 'columns' in value && 'insert' in value

describe('the tables of the areas', () => {
  const declared: Table[] = []
  before(async () => {
    for (const path of globSync('src/areas/**/*store.ts'))
      declared.push(...Object.values<unknown>(await import(`../../${path}`)).filter(isTable))
  })

  it('are declared as the migrations make them', () => {
    const tables = migrated()
    for (const table of declared)
      assert.deepEqual(declaredShape(table), tables.get(table.name), `${table.name} is not as migrated`)
  })

  it('are declared once each, but for a list that only shrinks', () => {
    const names = declared.map(({ name }) => name)
    assert.deepEqual([...names, ...undeclared].toSorted(), [...migrated().keys()].toSorted())
  })
})
