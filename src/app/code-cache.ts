import { basename, dirname } from 'node:path'

// imports would have Node load all of them
const { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } =
  process.getBuiltinModule('node:fs')

const digestBytes = 32

/**
 * Reads the code that `keepCode` wrote; undefined if there is none, or any byte of it has changed. V8 must never be given such: it checks
 * little of it and dies of the rest, at each start.
 */
export function keptCode(file: string): Uint8Array | undefined {
  try {
    const bytes = readFileSync(file)
    const code = bytes.subarray(digestBytes)
    return digestOf(file, code).equals(bytes.subarray(0, digestBytes)) ? code : undefined
  } catch {
    return undefined
  }
}

/**
 * Keeps compiled code for the next start, in place of that of other builds. The file has its name once all of it is on the disk, and only then
 * the others are removed.
 */
export function keepCode(file: string, code: Uint8Array): void {
  const folder = dirname(file)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeWhole(file, Buffer.concat([digestOf(file, code), code]))
    for (const name of readdirSync(folder))
      if (name !== basename(file)) rmSync(`${folder}/${name}`, { recursive: true, force: true })
  } catch {
    // the next start compiles again
  }
}

function writeWhole(file: string, bytes: Uint8Array): void {
  const fresh = `${file}.${process.pid}`
  try {
    writeFileSync(fresh, bytes, { mode: 0o600, flush: true })
    renameSync(fresh, file)
  } catch (error) {
    rmSync(fresh, { force: true })
    throw error
  }
}

/** The name is that of the build: V8 would take the code of a text of the same length. */
function digestOf(file: string, code: Uint8Array): Buffer {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256')
    .update(`${basename(file)}\0`)
    .update(code)
    .digest()
}
