import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import { type OutputOptions, type Plugin, rolldown } from 'rolldown'
import { loadedOnFirstUse } from './first-use/plugin.ts'

// node scripts/build.ts [server]: bundles the panel, the confined helper and the web panel into dist/, when a
// source changed since the last time. Built next to dist/ first, so that a panel that starts meanwhile never
// reads half a bundle.
const root = fileURLToPath(new URL('..', import.meta.url))
const dist = `${root}dist`
const fresh = `${dist}/.new-${process.pid}`
const stampFile = `${dist}/sources.sha256`
const helper = 'src/host/owner/confined/main.ts'
const notWritable = 3
/** Names what belongs to one build, as `src/app/boot.ts` reads it. */
const buildLength = 16

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
const usedTypes: Plugin = {
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
}

/** Fastify's router makes a function of source text for each of its hundreds of nodes, with a script of its own. */
const prefixesWithoutText: Plugin = {
  name: 'prefixes-without-text',
  transform(code, id) {
    if (!id.endsWith('/find-my-way/lib/node.js')) return null
    const made = /return new Function\('path', 'i',.*$/m
    if (!made.test(code)) throw new Error('find-my-way compiles its prefixes in another way')
    return { code: code.replace(made, 'return (path, i) => path.startsWith(prefix, i)'), map: null }
  },
}

/** The entry has run it before the panel. */
const withoutMemory: Plugin = {
  name: 'without-memory',
  resolveId: (id) => (id === './memory.ts' ? '\0memory' : null),
  load: (id) => (id === '\0memory' ? '' : null),
}

/** What fastify requires for validators and serializers that the panel replaces, and for requests without a socket. */
const neverCalled = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']

process.exitCode = await main(process.argv[2])

async function main(only: string | undefined): Promise<number> {
  const stamp = digestSources()
  if (only === undefined && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return 0
  if (!isWritable()) return refuse()
  process.stderr.write('Building the panel …\n')
  mkdirSync(fresh, { recursive: true })
  try {
    await bundle('src/app/boot.ts', 'hostreeve.mjs')
    await bundlePanel('src/app/main.ts', stamp.slice(0, buildLength))
    if (existsSync(`${root}${helper}`)) await bundle(helper, 'owner-confined.mjs')
    await bundle('src/host/owner/confined/git-relay.ts', 'owner-git-relay.mjs')
    await bundle('src/host/detached/clock.ts', 'detached-clock.mjs')
    copyFileSync(
      `${root}node_modules/@replit/ruspty-linux-x64-gnu/ruspty.linux-x64-gnu.node`,
      `${fresh}/pty.node`,
    )
    if (only !== 'server' && existsSync(`${root}vite.config.ts`)) await buildWeb()
    if (only === undefined) writeFileSync(`${fresh}/sources.sha256`, stamp)
    takeOver()
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
  return 0
}

async function bundle(input: string, file: string): Promise<void> {
  await write(input, [], { format: 'esm', entryFileNames: file })
}

/**
 * The panel is CommonJS: V8 drops the code of a function that has run and is not called again, but never that of a module, and
 * what declares all endpoints is large.
 */
async function bundlePanel(input: string, build: string): Promise<void> {
  const { plugin, codeSplitting } = loadedOnFirstUse({ root, main: `${root}${input}`, build })
  await write(input, [waitingBuiltins, usedTypes, prefixesWithoutText, plugin, withoutMemory], {
    format: 'cjs',
    entryFileNames: 'panel.cjs',
    chunkFileNames: `on-first-use/[name]-${build}.cjs`,
    codeSplitting,
  })
  const text = readFileSync(`${fresh}/panel.cjs`, 'utf8')
  const parameters = 'exports,require,module,__filename,__dirname'
  writeFileSync(`${fresh}/panel.cjs`, `/*${build}*/(function(${parameters}){${text}\n})`)
}

async function write(input: string, plugins: readonly Plugin[], options: OutputOptions): Promise<void> {
  const build = await rolldown({
    input: `${root}${input}`,
    platform: 'node',
    logLevel: 'warn',
    resolve: { conditionNames: ['node', 'import', 'require'] },
    external: neverCalled,
    plugins: [...plugins, lazyBuiltins],
  })
  const minify = { codegen: { removeWhitespace: true }, mangle: { keepNames: true }, compress: false } // names of functions stay in stack traces
  const { output } = await build.write({ dir: fresh, minify, sourcemap: true, ...options })
  for (const { type, fileName } of output)
    if (type === 'chunk')
      writeFileSync(
        `${fresh}/${fileName}`,
        inAscii(withPlainExports(readFileSync(`${fresh}/${fileName}`, 'utf8'))),
      )
}

/** Rolldown writes a function for each export. At the end of a chunk all have their values, and no module of the panel changes one later. */
function withPlainExports(text: string): string {
  const one =
    /Object\.defineProperty\(exports,(?:"(\w+)"|`(\w+)`),\{enumerable:(?:true|!0),get:function\(\)\{return ([\w$.]+)\}\}\);?/g
  return text.replace(new RegExp(`(?:${one.source}){2,}`), (all) => {
    const fields = [...all.matchAll(one)].map(([, quoted, raw, value]) => `${quoted ?? raw}:${value}`)
    return `Object.assign(exports,{${fields.join(',')}});`
  })
}

/** V8 keeps a source as one byte a character only where it has none beyond Latin-1. In a string, a template and a pattern an escape means the same. */
function inAscii(text: string): string {
  return text.replaceAll(
    /[^\u0000-\u007f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

async function buildWeb(): Promise<void> {
  const { build } = await import('vite')
  await build({
    configFile: `${root}vite.config.ts`,
    logLevel: 'error',
    build: { outDir: `${fresh}/web`, emptyOutDir: true },
  })
  const files = readdirSync(`${fresh}/web`, { recursive: true, encoding: 'utf8' })
  await Promise.all(
    files.filter((name) => /\.(?:css|js|svg)$/.test(name)).map((name) => precompress(`${fresh}/web/${name}`)),
  )
}

/** Writes the compressed forms beside a file, where they are smaller by enough to matter. */
async function precompress(file: string): Promise<void> {
  const bytes = readFileSync(file)
  if (bytes.length < 1024) return
  writeFileSync(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(bytes))
}

/**
 * File by file, as another build may end while a panel starts: what the entries import comes before them, and what
 * nothing imports any more goes after them. What the build before loads on first use stays, for a panel that runs from it. The stamp comes last: without it the next start builds again.
 */
function takeOver(): void {
  const former = formerBuild()
  const made = filesIn(fresh).toSorted((a, b) => rankOf(a) - rankOf(b))
  for (const name of made) {
    mkdirSync(dirname(`${dist}/${name}`), { recursive: true })
    renameSync(`${fresh}/${name}`, `${dist}/${name}`)
  }
  const folders = new Set(made.filter((name) => name.includes('/')).map((name) => name.split('/', 1)[0]))
  const kept = new Set(made)
  for (const folder of folders)
    for (const name of filesIn(`${dist}/${folder}`).map((file) => `${folder}/${file}`))
      if (!kept.has(name) && !(former && name.includes(former))) rmSync(`${dist}/${name}`, { force: true })
}

function formerBuild(): string | undefined {
  if (!existsSync(`${dist}/panel.cjs`)) return undefined
  return /^\/\*(\w+)\*\//.exec(readFileSync(`${dist}/panel.cjs`, 'latin1'))?.[1]
}

function rankOf(name: string): number {
  if (name.endsWith('.sha256')) return 2
  return name.includes('/') && !name.endsWith('.html') ? 0 : 1
}

/** The paths of the files below a folder. */
function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, `${entry.parentPath}/${entry.name}`))
}

function isWritable(): boolean {
  try {
    mkdirSync(dist, { recursive: true })
    accessSync(dist, constants.W_OK)
    return true
  } catch {
    return false
  }
}

function refuse(): number {
  const instead = existsSync(`${dist}/hostreeve.mjs`)
    ? 'as it was built last'
    : 'from its sources, which start slower'
  process.stderr.write(`${dist} cannot be written: the panel runs ${instead}\n`)
  return notWritable
}

function digestSources(): string {
  const hash = createHash('sha256')
  const folders = ['src', 'docs/guides', 'docs/pictures'].filter((folder) => existsSync(`${root}${folder}`))
  const sources = folders.flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  for (const file of [
    'package.json',
    'package-lock.json',
    'vite.config.ts',
    'scripts/build.ts',
    'scripts/first-use/at-start.ts',
    'scripts/first-use/modules.ts',
    'scripts/first-use/plugin.ts',
    'scripts/guide-markdown.ts',
    'scripts/guide-pages.ts',
    ...sources,
  ].toSorted()) {
    if (file.endsWith('.test.ts') || !existsSync(`${root}${file}`) || !statSync(`${root}${file}`).isFile())
      continue
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(`${root}${file}`))
      .update('\0')
  }
  return hash.digest('hex')
}
