import { identifier, type SqlStatement } from '../../host/apply/steps.ts'
import { type Admin, plain } from './admin.ts'
import { type AdminRow, type AdminRows, canonical, type GroupName, groupOf, keyOf } from './groups.ts'

/** The rows of a group in the three places where ProxySQL keeps them. */
export interface Layers {
  readonly memory: AdminRows
  readonly runtime: AdminRows
  readonly disk: AdminRows
}

/** Reads a group in memory, in the running ProxySQL and on disk. */
export async function readLayers(admin: Admin, name: GroupName): Promise<Layers> {
  const { table, prefix, running } = groupOf(name)
  const memory = await readRows(admin, name, `main.${table}`)
  const runtime = await readRows(admin, name, `main.runtime_${table}`, running)
  const disk = await readRows(admin, name, `disk.${table}`)
  // ProxySQL never takes a variable off the disk: one that it has not saved yet counts as saved
  return { memory, runtime, disk: prefix === undefined ? disk : { ...memory, ...disk } }
}

/** Reads the rows of a group in the running ProxySQL. */
export const readRunning = (admin: Admin, name: GroupName): Promise<AdminRows> =>
  readRows(admin, name, `main.runtime_${groupOf(name).table}`, groupOf(name).running)

/** Reads the rows of a group in memory, as they were written. */
export const readMemory = (admin: Admin, name: GroupName): Promise<AdminRows> =>
  readRows(admin, name, `main.${groupOf(name).table}`)

async function readRows(
  admin: Admin,
  name: GroupName,
  table: string,
  shape: (row: AdminRow) => AdminRow | undefined = (row) => row,
): Promise<AdminRows> {
  const group = groupOf(name)
  const rows = (await admin.run(plain(`SELECT * FROM ${table}`))).flatMap((row) => {
    const shaped = shape(canonical(group, row))
    return shaped === undefined ? [] : [[keyOf(group, shaped), shaped] as const]
  })
  return Object.fromEntries(rows.filter(([key]) => key.startsWith(group.prefix ?? '')))
}

/** Brings memory, the running ProxySQL and the disk to these rows. Rows that differ between the three stay different. */
export async function writeLayers(admin: Admin, name: GroupName, wanted: Layers): Promise<void> {
  const { statement } = groupOf(name)
  await setMemory(admin, name, loadable(name, wanted))
  await admin.run(plain(`LOAD ${statement} TO RUNTIME`))
  await setMemory(admin, name, wanted.disk)
  await admin.run(plain(`SAVE ${statement} TO DISK`))
  await setMemory(admin, name, wanted.memory)
}

/** The rows that must be in memory for a load to give the wanted running rows: those with the password as it was written, where there are such. */
function loadable(name: GroupName, { memory, runtime, disk }: Layers): AdminRows {
  const { running, prefix } = groupOf(name)
  if (prefix !== undefined) return { ...memory, ...runtime }
  const rows = Object.entries(runtime).map(([key, row]) => {
    const sources = [memory[key], disk[key]].filter((each) => each !== undefined)
    return [key, sources.find((each) => isSameRow(running(each), row)) ?? row] as const
  })
  const left = Object.entries(memory).filter(([, row]) => running(row) === undefined)
  return { ...Object.fromEntries(left), ...Object.fromEntries(rows) }
}

async function setMemory(admin: Admin, name: GroupName, wanted: AdminRows): Promise<void> {
  const { table, key, prefix } = groupOf(name)
  const now = await readMemory(admin, name)
  for (const [at, row] of Object.entries(now))
    if (wanted[at] === undefined && prefix === undefined)
      await admin.run(matching(`DELETE FROM main.${table}`, key, row))
  for (const [at, row] of Object.entries(wanted))
    if (!isSameRow(now[at], row)) await admin.run(replacing(table, row))
}

function matching(start: string, key: readonly string[], row: AdminRow): SqlStatement {
  const columns = key.filter((column) => row[column] !== undefined)
  const parts = columns.map((column, at) => `${at === 0 ? `${start} WHERE ` : ' AND '}${column} = `)
  return { parts: [...parts, ''], values: columns.map((column) => row[column] ?? '') }
}

function replacing(table: string, row: AdminRow): SqlStatement {
  const columns = Object.keys(row)
  const names = columns.map((column, at) => (at === 0 ? `REPLACE INTO main.${table} (` : ', '))
  const values = columns.map((_column, at) => (at === 0 ? ') VALUES (' : ', '))
  return {
    parts: [...names, ...values, ')'],
    values: [...columns.map((column) => identifier(column)), ...columns.map((column) => row[column] ?? '')],
  }
}

/** True if two rows have the same values. */
export function isSameRow(one: AdminRow | undefined, other: AdminRow | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  const columns = new Set([...Object.keys(one), ...Object.keys(other)])
  return [...columns].every((column) => one[column] === other[column])
}
