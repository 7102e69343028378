import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { type OutputOptions, type Plugin, rolldown } from 'rolldown'
import { moduleText, packBundle } from '../src/app/bundle.ts'
import { loadedOnFirstUse } from './first-use/plugin.ts'

/** `import 'node:http'` binds every export, which makes Node load its fetch client; as a value of CommonJS each is read on first use. */
const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  resolveId: (id) => (/^(?:node:)?https?$/.test(id) ? `\0${id.replace(/^(?:node:)?/, 'node:')}.cjs` : null),
  load: (id) => {
    const builtin = /^\0(node:https?)\.cjs$/.exec(id)?.[1]
    return builtin === undefined ? null : `module.exports = process.getBuiltinModule('${builtin}')`
  },
}

/** Parts of Node that no start needs: each is loaded when one of its exports is read. */
const waitingBuiltins: Plugin = {
  name: 'waiting-builtins',
  resolveId: (id) =>
    /^(?:node:)?(?:zlib|http2|https|cluster|worker_threads|readline|dgram|tty)$/.test(id)
      ? `\0waiting:${id.replace(/^node:/, '')}.cjs`
      : null,
  load: (id) => {
    const builtin = /^\0waiting:(\w+)\.cjs$/.exec(id)?.[1]
    if (builtin === undefined) return null
    return `module.exports = Object.create(new Proxy({}, { get: (_, name) => process.getBuiltinModule('node:${builtin}')[name] }))`
  },
}

/** As a namespace, what no module uses of it is left out. */
const usedTypes = (root: string): Plugin => ({
  name: 'used-types',
  transform: (code, id) =>
    id.startsWith(`${root}src/`) && code.includes('import Type')
      ? {
          code: code.replace(
            /import Type(?:, (\{[^}]*\}))? from ["']typebox["']/,
            (_, named) => `import * as Type from 'typebox'${named ? `; import ${named} from 'typebox'` : ''}`,
          ),
          map: null,
        }
      : null,
})

/** What dependencies do for each of hundreds of routes, done once or without a function of its own. */
const perRoute: readonly { readonly file: string; readonly from: string; readonly to: string }[] = [
  {
    // a function of source text for each node of the router, with a script of its own
    file: '/find-my-way/lib/node.js',
    from: "return new Function('path', 'i', `'use strict'\\nreturn ${lines.join(' && ')}`)",
    to: 'return (path, i) => path.startsWith(prefix, i)',
  },
  {
    // each hook of the whole server bound again for each route
    file: '/fastify/lib/route.js',
    from: '.map(h => h.bind(this))',
    to: '.map(h => { const own = Object.hasOwn(this, "boundHooks") ? this.boundHooks : (this.boundHooks = new WeakMap()); if (!own.has(h)) own.set(h, h.bind(this)); return own.get(h) })',
  },
]

const cheapRoutes: Plugin = {
  name: 'cheap-routes',
  transform(code, id) {
    const change = perRoute.find(({ file }) => id.endsWith(file))
    if (change === undefined) return null
    if (code.split(change.from).length !== 2) throw new Error(`${id} no longer contains ${change.from} once`)
    return { code: code.replace(change.from, () => change.to), map: null }
  },
}

/** The entry has run it before the panel. */
const withoutMemory = (root: string): Plugin => ({
  name: 'without-memory',
  resolveId: (id, importer) =>
    importer !== undefined && resolve(dirname(importer), id) === `${root}src/app/memory.ts`
      ? '\0memory'
      : null,
  load: (id) => (id === '\0memory' ? '' : null),
})

/** What fastify requires for validators and serializers that the panel replaces, and for requests without a socket. */
const neverCalled = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']

/** Bundles a program into one module. */
export async function bundle(input: string, dir: string, file: string): Promise<void> {
  await write(input, [], { dir, format: 'esm', entryFileNames: file })
}

/** A panel to bundle. */
export interface PanelBundle {
  readonly root: string
  /** The module that a start loads. */
  readonly main: string
  readonly dir: string
  /** Names the code that V8 keeps of this build, as `src/app/boot.ts` reads it. */
  readonly build: string
  /** What else is bundled, for measurements. */
  readonly also?: { readonly modules: readonly string[]; readonly plugin: Plugin }
}

/**
 * The panel is one file, with all that it loads on first use. It is CommonJS: V8 drops the code of a function that has run and is not
 * called again, but never that of a module, and what declares all endpoints is large.
 */
export async function bundlePanel({ root, main, dir, build, also }: PanelBundle): Promise<void> {
  const { plugin, codeSplitting } = loadedOnFirstUse({ root, main, also: also?.modules ?? [] })
  const plugins = [waitingBuiltins, usedTypes(root), cheapRoutes, plugin, withoutMemory(root)]
  const chunks = await write(main, also === undefined ? plugins : [also.plugin, ...plugins], {
    dir,
    format: 'cjs',
    entryFileNames: 'panel.cjs',
    chunkFileNames: 'on-first-use/[name].cjs',
    codeSplitting,
  })
  const texts = new Map(chunks.map((name) => [name, moduleText(readFileSync(`${dir}/${name}`, 'latin1'))]))
  const text = texts.get('panel.cjs') as string
  texts.delete('panel.cjs')
  for (const name of texts.keys()) rmSync(`${dir}/${name}`)
  writeFileSync(`${dir}/panel.cjs`, packBundle(`/*${build}*/${text}`, texts))
}

/** Writes the chunks of a program, and returns their names. */
async function write(
  input: string,
  plugins: readonly Plugin[],
  options: OutputOptions & { readonly dir: string },
): Promise<readonly string[]> {
  const build = await rolldown({
    input,
    platform: 'node',
    logLevel: 'warn',
    resolve: { conditionNames: ['node', 'import', 'require'] },
    external: neverCalled,
    plugins: [...plugins, lazyBuiltins],
  })
  const minify = { codegen: { removeWhitespace: true }, mangle: { keepNames: true }, compress: false } // names of functions stay in stack traces
  const { output } = await build.write({ minify, sourcemap: true, ...options })
  const chunks = output.flatMap(({ type, fileName }) => (type === 'chunk' ? [fileName] : []))
  for (const name of chunks)
    writeFileSync(`${options.dir}/${name}`, inAscii(readFileSync(`${options.dir}/${name}`, 'utf8')))
  return chunks
}

/**
 * V8 keeps a source as one byte a character only where it has none beyond Latin-1, and a packed bundle has NUL after it. In a string, a template
 * and a pattern an escape means the same.
 */
function inAscii(text: string): string {
  return text.replaceAll(
    /[^\u0001-\u007f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
