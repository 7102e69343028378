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
import { bundle, bundlePanel } from './bundle.ts'

// node scripts/build.ts [server]: bundles the panel, the confined helper and the web panel into dist/, when a
// source changed since the last time. Built next to dist/ first, so that a panel that starts meanwhile never
// reads half a bundle.
const root = fileURLToPath(new URL('..', import.meta.url))
const dist = `${root}dist`
const fresh = `${dist}/.new-${process.pid}`
const stampFile = `${dist}/sources.sha256`
const helper = 'src/host/owner/confined/main.ts'
const notWritable = 3
const buildLength = 16

process.exitCode = await main(process.argv[2])

async function main(only: string | undefined): Promise<number> {
  const stamp = digestSources()
  if (only === undefined && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return 0
  if (!isWritable()) return refuse()
  process.stderr.write('Building the panel …\n')
  mkdirSync(fresh, { recursive: true })
  try {
    const program = (input: string, file: string) => bundle(`${root}${input}`, fresh, file)
    await program('src/app/boot.ts', 'hostreeve.mjs')
    await bundlePanel({
      root,
      main: `${root}src/app/main.ts`,
      dir: fresh,
      build: stamp.slice(0, buildLength),
    })
    if (existsSync(`${root}${helper}`)) await program(helper, 'owner-confined.mjs')
    await program('src/host/owner/confined/git-relay.ts', 'owner-git-relay.mjs')
    await program('src/host/detached/clock.ts', 'detached-clock.mjs')
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
 * nothing imports any more goes after them. The stamp comes last: without it the next start builds again.
 */
function takeOver(): void {
  const made = filesIn(fresh).toSorted((a, b) => rankOf(a) - rankOf(b))
  for (const name of made) {
    mkdirSync(dirname(`${dist}/${name}`), { recursive: true })
    renameSync(`${fresh}/${name}`, `${dist}/${name}`)
  }
  const folders = new Set(made.filter((name) => name.includes('/')).map((name) => name.split('/', 1)[0]))
  const kept = new Set(made)
  for (const folder of folders)
    for (const name of filesIn(`${dist}/${folder}`).map((file) => `${folder}/${file}`))
      if (!kept.has(name)) rmSync(`${dist}/${name}`, { force: true })
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
    'scripts/bundle.ts',
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
