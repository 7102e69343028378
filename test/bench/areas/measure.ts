import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import type { Plugin } from 'rolldown'
import { bundle, bundlePanel } from '../../../scripts/bundle.ts'
import { areas } from '../../../src/app/areas.ts'
import type { Area } from '../../../src/core/area.ts'
import { freePort } from '../../support/free-ports.ts'
import type { Figure } from '../figures.ts'
import { admin } from '../shipped-panel.ts'

const root = new URL('../../../', import.meta.url).pathname
const list = `${root}src/app/areas.ts`
/** The panel does not start without these and what they use. */
const always = new Set(['auth', 'licence', 'plugins', 'replication-servers', 'users'])
const startLimitMs = 120_000
const boundMegabytes = 0.3
/** Areas that are above it (decision 0124), and what they must not exceed until they are not. */
const above: Readonly<Record<string, number>> = {
  filemanager: 1,
  containers: 0.7,
  authdns: 0.6,
  lbproxy: 0.6,
  ai: 0.5,
  sitebackups: 0.5,
  uptime: 0.5,
  databases: 0.45,
  webacl: 0.45,
  sqlreplication: 0.4,
  'mailbox-backup': 0.35,
  websites: 0.35,
}

interface Listed {
  readonly name: string
  readonly uses: readonly string[]
  /** The module that exports it, and by which name. */
  readonly file: string
  readonly exported: string
}

/**
 * What each area adds to the memory of a panel at rest: its declarations, what it opens, its routes, and the tools that it is the first to
 * use. A panel is started with one area more each time, in the order of their list.
 */
export async function measureAreas(): Promise<readonly Figure[]> {
  const folder = mkdtempSync(`${tmpdir()}/hostreeve-areas-`)
  try {
    const listed = listAreas()
    await build(folder, listed)
    return await figuresOf(folder, listed)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function figuresOf(folder: string, listed: readonly Listed[]): Promise<readonly Figure[]> {
  const base = closureOf(listed)
  const started = listed.filter(({ name }) => base.has(name)).map(({ name }) => name)
  await bytesAtRest(folder, started) // keeps the code
  let before = await bytesAtRest(folder, started)
  const figures: Figure[] = []
  for (const { name } of listed.filter((each) => !base.has(each.name))) {
    started.push(name)
    const bytes = await bytesAtRest(folder, started)
    figures.push({
      what: `memory: area ${name}`,
      value: (bytes - before) / 2 ** 20,
      unit: 'MB',
      bound: above[name] ?? boundMegabytes,
      loose: above[name] ?? boundMegabytes,
      ...(name in above && { detail: `to be ≤ ${boundMegabytes} MB` }),
    })
    before = bytes
  }
  return figures.toSorted((a, b) => b.value - a.value)
}

function listAreas(): readonly Listed[] {
  const text = readFileSync(list, 'utf8')
  const files = new Map(
    [...text.matchAll(/^import \{ (\w+) \} from '(\.\.\/areas\/[^']+)'/gm)].map(
      ([, exported = '', path = '']) => [exported, resolve(`${root}src/app`, path)],
    ),
  )
  const order = text.slice(text.indexOf('= [')).match(/\w+/g) ?? []
  return areas.map((area: Area<any, any>, at) => {
    const exported = order[at] as string
    const uses = (area.uses ?? []).map((used) => used.name)
    return { name: area.name, uses, exported, file: files.get(exported) as string }
  })
}

/** Every panel has these, with all that they use. */
function closureOf(listed: readonly Listed[]): ReadonlySet<string> {
  const found = new Set(always)
  for (const name of found)
    // a set is read while it grows
    for (const used of listed.find((each) => each.name === name)?.uses ?? []) found.add(used)
  return found
}

/** Bundles the panel as it is shipped, but for the areas: each is loaded from a chunk of its own if it is asked for. */
async function build(folder: string, listed: readonly Listed[]): Promise<void> {
  const chosen = new URL('chosen.ts', import.meta.url).pathname
  const chunk = '\0area:'
  const apart: Plugin = {
    name: 'areas-apart',
    buildStart() {
      for (const { name } of listed)
        this.emitFile({
          type: 'chunk',
          id: chunk + name,
          fileName: `areas/${name}.cjs`,
          preserveSignature: 'strict',
        })
    },
    resolveId: (id, importer) => {
      if (id.startsWith(chunk)) return id
      return importer !== undefined && resolve(importer, '..', id) === list ? chosen : null
    },
    load: (id) => {
      const area = listed.find(({ name }) => chunk + name === id)
      return area === undefined
        ? null
        : `export { ${area.exported} as area } from ${JSON.stringify(area.file)}`
    },
  }
  await bundle(`${root}src/app/boot.ts`, `${folder}/dist`, 'hostreeve.mjs')
  await bundlePanel({
    root,
    main: new URL('entry.ts', import.meta.url).pathname,
    dir: `${folder}/dist`,
    build: 'areas',
    also: { modules: listed.map(({ file }) => file), plugin: apart },
  })
  copyFileSync(`${root}package.json`, `${folder}/package.json`)
}

async function bytesAtRest(folder: string, names: readonly string[]): Promise<number> {
  const dataDir = mkdtempSync(`${folder}/data-`)
  const env = {
    PATH: process.env['PATH'],
    HOSTREEVE_PORT: String(await freePort()),
    HOSTREEVE_DATA_DIR: dataDir,
    HOSTREEVE_LOG_LEVEL: 'error',
    HOSTREEVE_ADMIN_EMAIL: admin.email,
    HOSTREEVE_ADMIN_PASSWORD: admin.password,
  }
  const args = [`${folder}/dist/hostreeve.mjs`, 'serve', ...names]
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: startLimitMs })
  return Number(stdout)
}
