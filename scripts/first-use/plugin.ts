import { dirname, relative, resolve } from 'node:path'
import type { OutputOptions, Plugin } from 'rolldown'
import { modulesAtStart } from './at-start.ts'
import { type Module, moduleReader } from './modules.ts'

/** Whose modules may be loaded on first use; the rest is what runs at start. */
const mayWait = /\/src\/(?:areas|tools|host\/owner)\//

const runtime = '\0first-use'
const substitute = '\0on-first-use:'
const entry = '\0part:'

// `requirePart` is a parameter of each module of the bundle (`src/app/bundle.ts`)
const runtimeText = `
export const onFirstUse = (part, module, name) => {
  let verb
  return (...given) => (verb ??= requirePart(part)[module][name])(...given)
}
export const promisedOnFirstUse = (part, module, name) => {
  let verb
  return (...given) => {
    try {
      verb ??= requirePart(part)[module][name]
    } catch (error) {
      return Promise.reject(error)
    }
    return verb(...given)
  }
}`

/** The modules of one folder that are loaded together, on the first call of one of their functions. */
interface Part {
  readonly name: string
  readonly files: readonly string[]
}

/** What the build of the panel needs in order to load verbs on first use. */
export interface FirstUse {
  readonly plugin: Plugin
  /** Everything that is loaded at start is one file. */
  readonly codeSplitting: Exclude<OutputOptions['codeSplitting'], boolean | undefined>
}

interface Split {
  readonly root: string
  /** The module that a start loads. */
  readonly main: string
  /** Further modules that are loaded at start, from files of their own. */
  readonly also: readonly string[]
}

/**
 * Splits a program that starts at `main`: a module that exports functions and plain constants alone, and of which nothing runs at start, is in
 * a part of the bundle of its own folder. Who imports it gets functions of the same names that load the part on the first call, and the constants.
 */
export function loadedOnFirstUse({ root, main, also }: Split): FirstUse {
  const read = moduleReader()
  const reached = reachedFrom([main, ...also], read)
  const waiting = reached.filter((file) => mayWait.test(file) && read(file).lazy !== undefined)
  const atStart = modulesAtStart(
    reached.filter((file) => !waiting.includes(file)),
    read,
  )
  const parts = partsOf(
    root,
    waiting.filter((file) => !atStart.has(file)),
  )
  const early = earlyModules(main)
  return {
    plugin: pluginOf(parts, read),
    codeSplitting: {
      groups: [
        {
          debugName: 'panel',
          name: (id, given) =>
            early(id, (each) => given.getModuleInfo(each)?.importedIds ?? []) ? 'panel' : null,
        },
      ],
    },
  }
}

function reachedFrom(first: readonly string[], read: (file: string) => Module): readonly string[] {
  const reached = new Set(first)
  for (const file of reached) {
    // a set is read while it grows
    const { imports, reexports, passedOn } = read(file)
    for (const next of [
      ...[...imports.values(), ...reexports.values()].map((origin) => origin.file),
      ...passedOn,
    ])
      if (next.endsWith('.ts')) reached.add(next)
  }
  return [...reached]
}

function partsOf(root: string, files: readonly string[]): readonly Part[] {
  const nameOf = (file: string) =>
    relative(`${root}src`, file).split('/').slice(0, 2).join('-').replace(/\.ts$/, '')
  return [...Map.groupBy(files, nameOf)].map(([name, own]) => ({ name, files: own }))
}

/** True for what the entry imports, at whatever distance, and for what stands for parts. */
function earlyModules(main: string) {
  const early = new Set<string>()
  return (id: string, importsOf: (id: string) => readonly string[]): boolean => {
    if (early.size === 0) {
      early.add(main)
      for (const each of early) for (const next of importsOf(each)) early.add(next)
    }
    return early.has(id) || id === runtime || id.startsWith(substitute)
  }
}

function pluginOf(parts: readonly Part[], read: (file: string) => Module): Plugin {
  const partOf = new Map(parts.flatMap((part) => part.files.map((file) => [file, part] as const)))
  const fileOf = (name: string) => `on-first-use/${name}.cjs`
  const nameOf = (id: string) => (id.startsWith(entry) ? id.slice(entry.length) : partOf.get(id)?.name)
  return {
    name: 'loaded-on-first-use',
    buildStart() {
      for (const { name } of parts)
        this.emitFile({
          type: 'chunk',
          id: entry + name,
          name,
          fileName: fileOf(name),
          preserveSignature: 'strict',
        })
    },
    resolveId(source, importer) {
      if (source === runtime || source.startsWith(entry)) return source
      if (!source.startsWith('.') || importer === undefined) return null
      const file = resolve(dirname(importer), source)
      const part = partOf.get(file)
      return part === undefined || nameOf(importer) === part.name ? null : substitute + file
    },
    load(id) {
      if (id === runtime) return runtimeText
      if (id.startsWith(entry)) return textOfEntry(parts.find(({ name }) => entry + name === id) as Part)
      if (!id.startsWith(substitute)) return null
      const file = id.slice(substitute.length)
      const part = partOf.get(file) as Part
      return textOfSubstitute(read(file), `m${part.files.indexOf(file)}`, fileOf(part.name))
    },
  }
}

const textOfEntry = ({ files }: Part): string =>
  files.map((file, at) => `export * as m${at} from ${JSON.stringify(file)}`).join('\n')

function textOfSubstitute({ lazy }: Module, module: string, file: string): string {
  const { functions, constants } = lazy as NonNullable<Module['lazy']>
  return [
    `import { onFirstUse, promisedOnFirstUse } from ${JSON.stringify(runtime)}`,
    ...functions.map(({ name, isPromised }) => {
      const made = isPromised ? 'promisedOnFirstUse' : 'onFirstUse'
      return `export const ${name} = /* @__PURE__ */ ${made}('${file}', '${module}', '${name}')`
    }),
    ...[...constants].map(([constant, value]) => `export const ${constant} = ${value}`),
  ].join('\n')
}
