import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Insertion, withInsertions } from './templates/registrations.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Creates a folder of files; throws if it exists. */
export function makeFolder(folder: string, files: ReadonlyMap<string, string>): void {
  if (existsSync(`${root}${folder}`)) throw new Error(`${folder} is there already`)
  for (const [name, text] of files) {
    const path = `${root}${folder}/${name}`
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
}

/** Adds a new folder to a file that lists folders. */
export function register(file: string, insertions: readonly Insertion[]): void {
  const before = readFileSync(`${root}${file}`, 'utf8')
  writeFileSync(`${root}${file}`, withInsertions(file, before, insertions))
}

/** Formats the new files, and regenerates the generated ones. */
export function finish(paths: readonly string[]): void {
  run(`${root}node_modules/.bin/oxfmt`, paths)
  run(process.execPath, ['scripts/snapshots.ts'])
  run(process.execPath, ['scripts/reference.ts'])
}

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, { cwd: root, stdio: 'inherit', timeout: 60_000 })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}`)
}
