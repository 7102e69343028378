import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/** Bundles the panel, the confined helper and the web panel into dist/, when a source changed since the last time. */
const root = fileURLToPath(new URL('..', import.meta.url))
const stampFile = `${root}/dist/sources.sha256`
const only = process.argv[2]

const entry = `import { enableCompileCache } from 'node:module'
enableCompileCache(new URL('.compile-cache', import.meta.url).pathname)
await import('./panel.mjs')
`

const stamp = digestSources()
if (only === undefined && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) process.exit(0)
process.stderr.write('Building the panel …\n')
await bundle('src/app/main.ts', 'panel.mjs')
if (existsSync(`${root}/src/host/owner/confined/main.ts`)) await bundle('src/host/owner/confined/main.ts', 'owner-confined.mjs')
writeFileSync(`${root}/dist/hostreeve.mjs`, entry)
if (only !== 'server' && existsSync(`${root}/vite.config.ts`)) await buildWeb()
if (only === undefined) writeFileSync(stampFile, stamp)

async function bundle(input: string, file: string): Promise<void> {
  const build = await rolldown({ input: `${root}/${input}`, platform: 'node', logLevel: 'warn', resolve: { conditionNames: ['node', 'import', 'require'] } })
  await build.write({ file: `${root}/dist/${file}`, format: 'esm', minify: false, codeSplitting: false } as never)
}

async function buildWeb(): Promise<void> {
  const { build } = await import('vite')
  await build({ root, configFile: `${root}/vite.config.ts`, logLevel: 'warn' })
}

function digestSources(): string {
  const hash = createHash('sha256')
  const files = ['package-lock.json', 'vite.config.ts', 'scripts/build.ts', ...readdirSync(`${root}/src`, { recursive: true, encoding: 'utf8' }).map((name) => `src/${name}`)]
  for (const file of files.toSorted()) {
    if (!existsSync(`${root}/${file}`) || file.endsWith('.test.ts') || !statSync(`${root}/${file}`).isFile()) continue
    hash.update(file).update('\0').update(readFileSync(`${root}/${file}`)).update('\0')
  }
  return hash.digest('hex')
}
