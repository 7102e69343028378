const tableCount = 256
const headerBytes = tableCount * 8
const slotBytes = 8
/** Positions in the file are 32-bit numbers. */
const mostBytes = 0xffff_ffff

interface Slot {
  readonly hash: number
  readonly position: number
}

/** Returns a constant database (cdb(5)) of these keys, each with an empty value. */
export function cdbOf(keys: Iterable<Buffer>): Buffer {
  const { records, tables, end } = layOut(keys)
  const slotCount = tables.reduce((sum, table) => sum + 2 * table.length, 0)
  const size = end + slotCount * slotBytes
  if (size > mostBytes) throw new RangeError(`a constant database of ${size} bytes exceeds 4 GiB`)
  const file = Buffer.alloc(size)
  for (const { key, position } of records) {
    file.writeUInt32LE(key.length, position)
    key.copy(file, position + 8)
  }
  let at = end
  for (const [index, slots] of tables.entries()) {
    file.writeUInt32LE(at, index * 8)
    file.writeUInt32LE(2 * slots.length, index * 8 + 4)
    for (const slot of slots) insert(file, { at, length: 2 * slots.length }, slot)
    at += 2 * slots.length * slotBytes
  }
  return file
}

/** Returns the keys of a constant database in their order; none of a file that is empty. */
export function keysOf(file: Buffer): readonly Buffer[] {
  if (file.length === 0) return []
  const keys: Buffer[] = []
  // the first table follows the last record
  const end = file.readUInt32LE(0)
  let at = headerBytes
  while (at < end) {
    const [keyBytes, valueBytes] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)]
    keys.push(file.subarray(at + 8, at + 8 + keyBytes))
    at += 8 + keyBytes + valueBytes
  }
  return keys
}

/** True if a constant database contains a key. */
export function hasKey(file: Buffer, key: Buffer): boolean {
  const hash = hashOf(key)
  const header = (hash % tableCount) * 8
  const [table, length] = [file.readUInt32LE(header), file.readUInt32LE(header + 4)]
  for (let step = 0; step < length; step += 1) {
    const slot = table + (((hash >>> 8) + step) % length) * slotBytes
    const position = file.readUInt32LE(slot + 4)
    if (position === 0) return false
    const start = position + 8
    const isSame =
      file.readUInt32LE(slot) === hash &&
      file.readUInt32LE(position) === key.length &&
      file.subarray(start, start + key.length).equals(key)
    if (isSame) return true
  }
  return false
}

/** Records follow the header, in the order of the keys; the tables follow the records. */
function layOut(keys: Iterable<Buffer>) {
  const records: { readonly key: Buffer; readonly position: number }[] = []
  const tables = Array.from({ length: tableCount }, (): Slot[] => [])
  let end = headerBytes
  for (const key of keys) {
    const hash = hashOf(key)
    records.push({ key, position: end })
    tables[hash % tableCount]!.push({ hash, position: end })
    end += 8 + key.length
  }
  return { records, tables, end }
}

/** Linear probing; a slot with position 0 is free, because no record is in the header. */
function insert(
  file: Buffer,
  table: { readonly at: number; readonly length: number },
  { hash, position }: Slot,
) {
  let index = (hash >>> 8) % table.length
  while (file.readUInt32LE(table.at + index * slotBytes + 4) !== 0) index = (index + 1) % table.length
  file.writeUInt32LE(hash, table.at + index * slotBytes)
  file.writeUInt32LE(position, table.at + index * slotBytes + 4)
}

function hashOf(key: Buffer): number {
  let hash = 5381
  for (const byte of key) hash = (Math.imul(hash, 33) ^ byte) >>> 0
  return hash
}
