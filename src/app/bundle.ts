import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { Script } from 'node:vm'

/** A bundled panel: the text that a start runs, and the compressed texts of its parts by their names. Each is the expression of a `ModuleFunction`. */
export interface Bundle {
  readonly text: string
  readonly parts: ReadonlyMap<string, Uint8Array>
}

/** CommonJS, and `requirePart` for what is loaded on first use. */
type ModuleFunction = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  filename: string,
  folder: string,
  requirePart: (name: string) => unknown,
) => void

/** Wraps the text of a CommonJS module. */
export const moduleText = (text: string): string =>
  `(function(exports,require,module,__filename,__dirname,requirePart){${text}\n})`

/** Packs a bundle into one file; the texts are ASCII without NUL. */
export function packBundle(text: string, parts: ReadonlyMap<string, string>): Uint8Array {
  const { deflateRawSync } = process.getBuiltinModule('node:zlib')
  const packed = [...parts].map(([name, part]) => [name, deflateRawSync(part, { level: 9 })] as const)
  return Buffer.concat([Buffer.from(`${text}\0`, 'latin1'), serialize(new Map(packed))])
}

/**
 * Reads a packed bundle whole: a panel needs its parts as long as it runs, also where its files have been replaced by those of
 * another build, no descriptor is left or the disk fails.
 */
export function readBundle(file: string): Bundle {
  const bytes = process.getBuiltinModule('node:fs').readFileSync(file) // an import would have Node load all of it
  const end = bytes.indexOf(0)
  return { text: bytes.toString('latin1', 0, end), parts: deserialize(Buffer.from(bytes.subarray(end + 1))) }
}

/** Runs the modules of a bundle below a folder. */
export interface Loader {
  /** Runs a compiled module under a name, and returns its exports. */
  run(name: string, script: Script): object
  /** Returns the exports of a part, which is run for the first call; what it throws then is thrown, and the next call tries again. */
  load(name: string): object
}

/** Opens the loader of one process. */
export function openLoader(folder: string, parts: Bundle['parts']): Loader {
  const loaded = new Map<string, { exports: object }>()
  const external = createRequire(`${folder}/`)
  const run = (name: string, script: Script): object => {
    const file = join(folder, name)
    const module = { exports: {} }
    const require = (id: string) => (id.startsWith('.') ? load(join(dirname(name), id)) : external(id))
    loaded.set(name, module) // before it runs, as modules require each other
    try {
      const call: ModuleFunction = script.runInThisContext()
      call(module.exports, Object.assign(require, external), module, file, dirname(file), load)
    } catch (error) {
      loaded.delete(name)
      throw error
    }
    return module.exports
  }
  const load = (name: string): object => {
    const known = loaded.get(name)
    if (known !== undefined) return known.exports
    const part = parts.get(name)
    if (part === undefined) throw new Error(`this build of the panel has no part ${name}`)
    const text = process.getBuiltinModule('node:zlib').inflateRawSync(part).toString('latin1')
    return run(name, new Script(text, { filename: join(folder, name) }))
  }
  return { run, load }
}
